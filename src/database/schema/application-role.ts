import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlSession } from '../../kernel/ports/sql-database.ts'
import { SERVER_ROLE, TENANT_ROLE } from '../scoped.ts'

/**
 * Lets a login role run a server without owning anything: it may take on the server's role, which reads and writes
 * rows, and the tenants' role, and has no rights itself. Must run as the owner of the tables. Throws `not_found` for an
 * unknown role and `invalid_input` for one that row-level security would not restrict.
 */
export async function makeApplicationRole(sql: SqlSession, login: string): Promise<void> {
  const [role] = await sql.query<{ name: string; isMighty: boolean; hasOptions: boolean }>(
    `SELECT quote_ident(rolname) AS name, rolsuper OR rolbypassrls OR rolcreaterole OR pg_has_role(oid, current_user, 'MEMBER') AS "isMighty",
       current_setting('server_version_num')::int >= 160000 AS "hasOptions"
     FROM pg_roles WHERE rolname = $1 AND rolcanlogin`,
    [login],
  )
  if (role === undefined)
    throw new AppError('not_found', `No database role named "${login}" that can log in.`, {
      hint: 'Create it first: CREATE ROLE … LOGIN PASSWORD …',
    })
  if (role.isMighty)
    throw new AppError('invalid_input', `The role "${login}" can do too much for an application role.`, {
      hint: 'Use one without SUPERUSER, BYPASSRLS and CREATEROLE that is not the owner of the tables.',
    })
  await sql.query(`DO $$ BEGIN
     IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${SERVER_ROLE}') THEN CREATE ROLE ${SERVER_ROLE} NOLOGIN; END IF;
   EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
   END $$`)
  await sql.query(`GRANT USAGE ON SCHEMA ken TO ${SERVER_ROLE}`)
  // Without inheritance a transaction that takes on neither role reads nothing.
  if (!role.hasOptions) await sql.query(`ALTER ROLE ${role.name} NOINHERIT`)
  const options = role.hasOptions ? ' WITH INHERIT FALSE, SET TRUE' : ''
  await sql.query(`GRANT ${SERVER_ROLE}, ${TENANT_ROLE} TO ${role.name}${options}`)
  await grantToServerRole(sql)
}

/**
 * Extends the rights of the server's role to tables created since; does nothing in a database without an application
 * role.
 */
export async function grantToServerRole(sql: SqlSession): Promise<void> {
  const [used] = await sql.query(
    `SELECT FROM pg_roles WHERE rolname = '${SERVER_ROLE}' AND has_schema_privilege(oid, 'ken', 'USAGE')`,
  )
  if (used === undefined) return
  await sql.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ken TO ${SERVER_ROLE}`)
  await sql.query(`REVOKE INSERT, UPDATE, DELETE ON ken.migrations FROM ${SERVER_ROLE}`)
  await sql.query(`REVOKE UPDATE ON ken.audit_log FROM ${SERVER_ROLE}`)
  await sql.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ken TO ${SERVER_ROLE}`)
  const walled = await sql.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class c
     WHERE relnamespace = 'ken'::regnamespace AND relkind IN ('r', 'p') AND relrowsecurity
       AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'server_rows')`,
  )
  for (const { name } of walled)
    await sql.query(`CREATE POLICY server_rows ON ken.${name} TO ${SERVER_ROLE} USING (true) WITH CHECK (true)`)
}
