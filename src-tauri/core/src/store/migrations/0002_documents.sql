-- Documents of the contract. A text is what the contract's validator made of
-- what was written: canonical JSON, without the values of secrets.

CREATE TABLE documents (
  id           TEXT PRIMARY KEY NOT NULL,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  schema       TEXT NOT NULL,            -- name in the contract
  name         TEXT NOT NULL,
  text         TEXT NOT NULL,            -- JSON
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX documents_workspace ON documents (workspace_id, name);
