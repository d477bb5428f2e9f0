/** People: invitations, sign-in and tokens. Accessible to the server only. */
export const people = {
  name: 'people',
  statements: () => [
    // Access to a project for people without a role in it.
    `ALTER TABLE ken.projects ADD COLUMN access text NOT NULL DEFAULT 'organisation'
       CHECK (access IN ('organisation', 'members'))`,
    'CREATE INDEX people_of_address ON ken.people (email)',
    `CREATE TABLE ken.invitations (
       id text PRIMARY KEY,
       organisation text NOT NULL REFERENCES ken.organisations ON DELETE CASCADE,
       email text NOT NULL,
       role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
       invited_by text REFERENCES ken.people ON DELETE CASCADE,
       created_at timestamptz NOT NULL,
       expires_at timestamptz NOT NULL,
       UNIQUE (organisation, email)
     )`,
    'CREATE INDEX invitations_of_address ON ken.invitations (email)',
    `CREATE TABLE ken.tokens (
       id text PRIMARY KEY,
       person text NOT NULL REFERENCES ken.people ON DELETE CASCADE,
       kind text NOT NULL CHECK (kind IN ('personal', 'agent')),
       name text NOT NULL,
       hash text NOT NULL UNIQUE,
       scopes jsonb NOT NULL,
       projects jsonb,
       created_at timestamptz NOT NULL,
       expires_at timestamptz NOT NULL,
       used_at timestamptz,
       revoked_at timestamptz
     )`,
    'CREATE INDEX tokens_of_person ON ken.tokens (person)',
    `CREATE TABLE ken.browser_sessions (
       id text PRIMARY KEY,
       person text NOT NULL REFERENCES ken.people ON DELETE CASCADE,
       hash text NOT NULL UNIQUE,
       browser text,
       proof text NOT NULL,
       entered_at timestamptz NOT NULL,
       used_at timestamptz NOT NULL,
       ends_at timestamptz NOT NULL
     )`,
    'CREATE INDEX browser_sessions_of_person ON ken.browser_sessions (person)',
    `CREATE TABLE ken.sign_in_codes (
       hash text PRIMARY KEY,
       email text NOT NULL,
       seal text NOT NULL,
       tries int NOT NULL DEFAULT 0,
       expires_at timestamptz NOT NULL
     )`,
    'CREATE INDEX sign_in_codes_by_end ON ken.sign_in_codes (expires_at)',
    `CREATE TABLE ken.attempts (
       bucket text NOT NULL,
       span timestamptz NOT NULL,
       count int NOT NULL,
       PRIMARY KEY (bucket, span)
     )`,
    'CREATE INDEX attempts_by_span ON ken.attempts (span)',
    `CREATE TABLE ken.one_time_secrets (
       hash text PRIMARY KEY,
       purpose text NOT NULL,
       held jsonb NOT NULL,
       expires_at timestamptz NOT NULL
     )`,
    'CREATE INDEX one_time_secrets_by_end ON ken.one_time_secrets (expires_at)',
    `CREATE TABLE ken.passkeys (
       id text PRIMARY KEY,
       person text NOT NULL REFERENCES ken.people ON DELETE CASCADE,
       name text NOT NULL,
       public_key bytea NOT NULL,
       counter bigint NOT NULL,
       transports jsonb NOT NULL,
       created_at timestamptz NOT NULL,
       used_at timestamptz
     )`,
    'CREATE INDEX passkeys_of_person ON ken.passkeys (person)',
  ],
}
