/**
 * Grants that people gave to clients of the MCP endpoint. Accessible to the server only: no tenant reads any of it.
 * Secrets are stored as hashes.
 */
export const oauth = {
  name: 'oauth',
  statements: () => [
    `CREATE TABLE ken.oauth_clients (
       id text PRIMARY KEY,
       metadata jsonb NOT NULL,
       created_at timestamptz NOT NULL
     )`,
    `CREATE TABLE ken.oauth_grants (
       id text PRIMARY KEY,
       person text NOT NULL REFERENCES ken.people ON DELETE CASCADE,
       client text NOT NULL,
       client_name text NOT NULL,
       resource text NOT NULL,
       scopes jsonb NOT NULL,
       projects jsonb NOT NULL,
       is_lasting boolean NOT NULL,
       created_at timestamptz NOT NULL,
       ends_at timestamptz NOT NULL
     )`,
    'CREATE INDEX oauth_grants_of_person ON ken.oauth_grants (person)',
    'CREATE INDEX oauth_grants_of_client ON ken.oauth_grants (client)',
    'CREATE INDEX oauth_grants_by_end ON ken.oauth_grants (ends_at)',
    `CREATE TABLE ken.oauth_codes (
       hash text PRIMARY KEY,
       grant_id text NOT NULL REFERENCES ken.oauth_grants ON DELETE CASCADE,
       challenge text NOT NULL,
       redirect_uri text NOT NULL,
       expires_at timestamptz NOT NULL,
       used_at timestamptz
     )`,
    `CREATE TABLE ken.oauth_access_tokens (
       hash text PRIMARY KEY,
       grant_id text NOT NULL REFERENCES ken.oauth_grants ON DELETE CASCADE,
       scopes jsonb NOT NULL,
       expires_at timestamptz NOT NULL
     )`,
    // A used token stays until it would have expired, so that its reuse is detected.
    `CREATE TABLE ken.oauth_refresh_tokens (
       hash text PRIMARY KEY,
       grant_id text NOT NULL REFERENCES ken.oauth_grants ON DELETE CASCADE,
       expires_at timestamptz NOT NULL,
       used_at timestamptz
     )`,
    ...['codes', 'access_tokens', 'refresh_tokens'].flatMap((table) => [
      `CREATE INDEX oauth_${table}_of_grant ON ken.oauth_${table} (grant_id)`,
      `CREATE INDEX oauth_${table}_by_expiry ON ken.oauth_${table} (expires_at)`,
    ]),
    `CREATE TABLE ken.oauth_devices (
       device_hash text PRIMARY KEY,
       user_hash text NOT NULL UNIQUE,
       client text NOT NULL,
       client_name text NOT NULL,
       resource text NOT NULL,
       scopes jsonb NOT NULL,
       expires_at timestamptz NOT NULL,
       poll_interval int NOT NULL,
       polled_at timestamptz,
       is_denied boolean NOT NULL DEFAULT false,
       grant_id text REFERENCES ken.oauth_grants ON DELETE CASCADE
     )`,
    'CREATE INDEX oauth_devices_of_grant ON ken.oauth_devices (grant_id)',
    'CREATE INDEX oauth_devices_by_expiry ON ken.oauth_devices (expires_at)',
    `CREATE TABLE ken.oauth_tallies (
       bucket text PRIMARY KEY,
       count int NOT NULL,
       until timestamptz NOT NULL
     )`,
  ],
}
