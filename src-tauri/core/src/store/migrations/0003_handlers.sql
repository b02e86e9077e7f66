-- Handlers, the users whose overrides stand in front of them, the catalogue of
-- custom manifest types, and the names of secrets. Values of secrets are in the
-- keychain, never here.

CREATE TABLE settings (
  name  TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL                       -- JSON
) STRICT, WITHOUT ROWID;

-- Tells the keychain items of this data folder from those of others.
INSERT INTO settings (name, value) VALUES ('storeId', json_quote(lower(hex(randomblob(8)))));

-- Users that were added; the operating system's own needs no row.
CREATE TABLE users (
  id         TEXT PRIMARY KEY NOT NULL,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One keychain item each, never changed once written: a change makes a new one.
-- A bundle that no row below names is on its way in, or to be removed.
CREATE TABLE secret_bundles (
  id         TEXT PRIMARY KEY NOT NULL,
  store      TEXT NOT NULL,                 -- SecretStoreKind
  keys       TEXT NOT NULL,                 -- [SecretKey], JSON
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE handlers (
  workspace_id        TEXT NOT NULL REFERENCES workspaces (id),
  provision_type      TEXT NOT NULL,        -- ProvisionType
  manifest_id         TEXT NOT NULL DEFAULT '', -- '': none
  engine              TEXT NOT NULL,        -- Engine
  backend_kind        TEXT NOT NULL,
  provider_id         TEXT NOT NULL,
  label               TEXT NOT NULL,
  base_url            TEXT NOT NULL,
  config              TEXT NOT NULL,        -- HandlerConfig, JSON
  accepts_manifest_id TEXT,
  bundle              TEXT REFERENCES secret_bundles (id),
  created_at          INTEGER NOT NULL,
  updated_at          INTEGER NOT NULL,
  deleted_at          INTEGER,
  PRIMARY KEY (workspace_id, provision_type, manifest_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX handlers_live ON handlers (workspace_id, created_at, provision_type, manifest_id)
  WHERE deleted_at IS NULL;
-- What a search looks at, without the documents.
CREATE INDEX handlers_search ON handlers (workspace_id, provision_type, manifest_id, label)
  WHERE deleted_at IS NULL;
CREATE INDEX handlers_accepts ON handlers (workspace_id, accepts_manifest_id)
  WHERE deleted_at IS NULL AND accepts_manifest_id IS NOT NULL;
CREATE INDEX handlers_bundle ON handlers (bundle) WHERE bundle IS NOT NULL;

CREATE TABLE user_handlers (
  user_id             TEXT NOT NULL,
  workspace_id        TEXT NOT NULL REFERENCES workspaces (id),
  provision_type      TEXT NOT NULL,        -- ProvisionType
  manifest_id         TEXT NOT NULL DEFAULT '', -- '': none
  engine              TEXT NOT NULL,        -- Engine
  backend_kind        TEXT NOT NULL,
  provider_id         TEXT NOT NULL,
  label               TEXT NOT NULL,
  base_url            TEXT NOT NULL,
  config              TEXT NOT NULL,        -- HandlerConfig, JSON
  accepts_manifest_id TEXT,
  bundle              TEXT REFERENCES secret_bundles (id),
  enabled             INTEGER NOT NULL,
  copied_from         TEXT,                 -- HandlerConfig, JSON: the workspace's when it was copied
  created_at          INTEGER NOT NULL,
  updated_at          INTEGER NOT NULL,
  PRIMARY KEY (user_id, workspace_id, provision_type, manifest_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_handlers_age
  ON user_handlers (user_id, workspace_id, created_at, provision_type, manifest_id);
CREATE INDEX user_handlers_accepts ON user_handlers (user_id, workspace_id, accepts_manifest_id)
  WHERE accepts_manifest_id IS NOT NULL;
CREATE INDEX user_handlers_bundle ON user_handlers (bundle) WHERE bundle IS NOT NULL;

CREATE TABLE custom_manifest_types (
  workspace_id       TEXT NOT NULL REFERENCES workspaces (id),
  manifest_id        TEXT NOT NULL,
  label              TEXT NOT NULL,
  accepts_input_hint TEXT,
  description        TEXT,
  created_at         INTEGER NOT NULL,
  updated_at         INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, manifest_id)
) STRICT, WITHOUT ROWID;

-- What was started so far was started on Docker, as `docker` finds it. It goes on
-- that way until somebody says otherwise.
INSERT INTO handlers (workspace_id, provision_type, engine, backend_kind, provider_id, label,
                      base_url, config, created_at, updated_at)
SELECT id, 'docker-compose', 'local-docker', 'compose', 'compose', 'Local Docker',
       'http://localhost',
       '{"engine":"local-docker","manifest":{"providerId":"compose","label":"Local Docker","baseUrl":"http://localhost","auth":{"type":"none"},"provision":{"method":"POST","pathTemplate":""},"response":{},"providerConfig":{}}}',
       created_at, created_at
FROM workspaces;

-- The whole document of how a service is provisioned, in place of two of its parts.
ALTER TABLE services ADD COLUMN provisioning TEXT NOT NULL DEFAULT '{}'; -- ServiceProvisioning, JSON
UPDATE services SET provisioning = json_patch(
  json_object('type', provision_type), json_object('composePath', compose_path));
ALTER TABLE services DROP COLUMN compose_path;

-- The handler that an environment was made with, as it was then.
ALTER TABLE environments ADD COLUMN handler TEXT;                    -- MadeWith, JSON
ALTER TABLE environments ADD COLUMN handler_bundle TEXT REFERENCES secret_bundles (id);
ALTER TABLE environments ADD COLUMN access_bundle TEXT REFERENCES secret_bundles (id);

CREATE INDEX environments_workspace ON environments (workspace_id, service_id)
  WHERE torn_down_at IS NULL;
CREATE INDEX environments_handler_bundle ON environments (handler_bundle)
  WHERE handler_bundle IS NOT NULL;
CREATE INDEX environments_access_bundle ON environments (access_bundle)
  WHERE access_bundle IS NOT NULL;
