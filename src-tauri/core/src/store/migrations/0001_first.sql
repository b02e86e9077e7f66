-- Times are milliseconds since the epoch. Columns that hold JSON or a word hold
-- what serde makes of the type named beside them.

CREATE TABLE workspaces (
  id         TEXT PRIMARY KEY NOT NULL,
  name       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

INSERT INTO workspaces (id, name, created_at)
VALUES ('default', 'default', CAST(unixepoch('subsec') * 1000 AS INTEGER));

CREATE TABLE services (
  id             TEXT PRIMARY KEY NOT NULL,
  workspace_id   TEXT NOT NULL REFERENCES workspaces (id),
  name           TEXT NOT NULL,
  source         TEXT NOT NULL CHECK (source IN ('folder', 'gitUrl')),
  location       TEXT NOT NULL,            -- path, or URL without credentials
  subdirectory   TEXT NOT NULL DEFAULT '', -- of a URL
  git            INTEGER NOT NULL,         -- refs can be started
  provision_type TEXT NOT NULL,            -- ProvisionType
  compose_path   TEXT,
  created_at     INTEGER NOT NULL,
  deleted_at     INTEGER
) STRICT;

CREATE UNIQUE INDEX services_name ON services (workspace_id, name) WHERE deleted_at IS NULL;

CREATE TABLE environments (
  id              TEXT PRIMARY KEY NOT NULL,
  workspace_id    TEXT NOT NULL REFERENCES workspaces (id),
  service_id      TEXT NOT NULL REFERENCES services (id),
  service_name    TEXT NOT NULL,
  name            TEXT NOT NULL,
  selector        TEXT NOT NULL,           -- Selector, JSON
  key             TEXT NOT NULL,           -- identity within the service
  provision_type  TEXT NOT NULL,           -- ProvisionType
  status          TEXT NOT NULL,           -- EnvironmentStatus
  engine          TEXT NOT NULL,           -- Engine
  engine_label    TEXT NOT NULL,
  engine_address  TEXT NOT NULL,
  engine_rule     TEXT NOT NULL,
  engine_id       TEXT,
  project         TEXT NOT NULL,
  host            TEXT NOT NULL,
  revision_label  TEXT,
  revision_commit TEXT,
  revision_dirty  INTEGER NOT NULL DEFAULT 0,
  revision_behind INTEGER,
  checkout        TEXT,
  created_at      INTEGER NOT NULL,
  ready_at        INTEGER,
  expires_at      INTEGER,
  warned_at       INTEGER,
  torn_down_at    INTEGER,
  problem         TEXT,                    -- Problem, JSON
  parts           TEXT NOT NULL DEFAULT '[]' -- [Part], JSON
) STRICT;

CREATE UNIQUE INDEX environments_key ON environments (workspace_id, service_id, key)
  WHERE torn_down_at IS NULL;
CREATE UNIQUE INDEX environments_name ON environments (workspace_id, name)
  WHERE torn_down_at IS NULL;
CREATE UNIQUE INDEX environments_project ON environments (project)
  WHERE torn_down_at IS NULL;
CREATE INDEX environments_expiry ON environments (expires_at)
  WHERE torn_down_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX environments_torn_down ON environments (torn_down_at)
  WHERE torn_down_at IS NOT NULL;
CREATE INDEX environments_service ON environments (service_id);

CREATE TABLE operations (
  ordinal        INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT NOT NULL UNIQUE,
  environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  kind           TEXT NOT NULL,            -- OperationKind
  state          TEXT NOT NULL,            -- OperationState
  actor          TEXT NOT NULL,            -- Actor
  pid            INTEGER NOT NULL,
  started_at     INTEGER NOT NULL,
  finished_at    INTEGER,
  problem        TEXT,                     -- Problem, JSON
  plan           TEXT                      -- PlanView, JSON
) STRICT;

CREATE INDEX operations_environment ON operations (environment_id, ordinal);
CREATE INDEX operations_running ON operations (ordinal) WHERE state = 'running';

CREATE TABLE steps (
  operation_id     TEXT NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
  ordinal          INTEGER NOT NULL,
  key              TEXT NOT NULL,
  kind             TEXT NOT NULL,          -- StepKind, JSON
  state            TEXT NOT NULL,          -- StepState
  detail           TEXT,
  progress_current INTEGER,
  progress_total   INTEGER,
  started_at       INTEGER,
  finished_at      INTEGER,
  PRIMARY KEY (operation_id, ordinal),
  UNIQUE (operation_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE inventory (
  environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  kind           TEXT NOT NULL,            -- ResourceKind
  name           TEXT NOT NULL,
  operation_id   TEXT NOT NULL,
  state          TEXT NOT NULL CHECK (state IN ('planned', 'made', 'gone')),
  PRIMARY KEY (environment_id, kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE ports (
  host_port      INTEGER PRIMARY KEY NOT NULL,
  environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  service        TEXT NOT NULL,
  target         INTEGER NOT NULL,
  protocol       TEXT NOT NULL,
  UNIQUE (environment_id, service, target, protocol)
) STRICT;

CREATE TABLE addresses (
  environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  ordinal        INTEGER NOT NULL,
  service        TEXT NOT NULL,
  target         INTEGER NOT NULL,
  host_port      INTEGER NOT NULL,
  url            TEXT NOT NULL,
  is_primary     INTEGER NOT NULL,
  PRIMARY KEY (environment_id, ordinal)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a number is never given twice, also after rows were removed.
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  at       INTEGER NOT NULL,
  change   TEXT NOT NULL,                  -- Change, JSON
  slot     TEXT UNIQUE
) STRICT;

CREATE INDEX events_at ON events (at);

-- No references: the activity outlives what it is about.
CREATE TABLE activity (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  at               INTEGER NOT NULL,
  verb             TEXT NOT NULL,          -- ActivityVerb
  outcome          TEXT NOT NULL,          -- Outcome
  environment_id   TEXT,
  environment_name TEXT,
  service_name     TEXT,
  engine_label     TEXT,
  actor            TEXT NOT NULL,          -- Actor
  duration_ms      INTEGER,
  detail           TEXT
) STRICT;

CREATE INDEX activity_at ON activity (at);
