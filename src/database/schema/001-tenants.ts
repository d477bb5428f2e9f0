import { TENANT_ROLE } from '../scoped.ts'

/** Owners of everything: organisations have people and projects. */
export const tenants = {
  name: 'tenants',
  statements: () => [
    // Roles belong to the whole server: another Ken database may have created this one, perhaps concurrently.
    `DO $$ BEGIN
       IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${TENANT_ROLE}') THEN CREATE ROLE ${TENANT_ROLE} NOLOGIN; END IF;
     EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
     END $$`,
    // A superuser, or a user whom an administrator allowed, may already be able to assume the role but lack the right
    // to grant it. Since version 16 the creator of a role is its member without that right.
    `DO $$ BEGIN
       IF NOT pg_has_role(current_user, '${TENANT_ROLE}',
         CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END)
       THEN EXECUTE format('GRANT ${TENANT_ROLE} TO %I', current_user); END IF;
     END $$`,
    `GRANT USAGE ON SCHEMA ken TO ${TENANT_ROLE}`,
    `CREATE TABLE ken.organisations (
       id text PRIMARY KEY,
       name text NOT NULL,
       created_at timestamptz NOT NULL
     )`,
    `CREATE TABLE ken.people (
       id text PRIMARY KEY,
       organisation text NOT NULL REFERENCES ken.organisations ON DELETE CASCADE,
       email text NOT NULL,
       name text NOT NULL,
       role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
       created_at timestamptz NOT NULL,
       left_at timestamptz,
       UNIQUE (organisation, email)
     )`,
    `CREATE TABLE ken.projects (
       id text PRIMARY KEY,
       organisation text NOT NULL REFERENCES ken.organisations ON DELETE CASCADE,
       name text NOT NULL,
       created_at timestamptz NOT NULL
     )`,
    'CREATE INDEX projects_of_organisation ON ken.projects (organisation)',
    // A person's role in one project, if it differs from that in the organisation.
    `CREATE TABLE ken.members (
       project text NOT NULL REFERENCES ken.projects ON DELETE CASCADE,
       person text NOT NULL REFERENCES ken.people ON DELETE CASCADE,
       role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
       PRIMARY KEY (project, person)
     )`,
    'CREATE INDEX members_of_person ON ken.members (person)',
  ],
}
