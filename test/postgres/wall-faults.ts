import { TENANT_ROLE } from '../../src/database/scoped.ts'
import type { SqlSession } from '../../src/kernel/ports/sql-database.ts'

/**
 * Lists where a tenant could access another tenant's data, according to the catalogue. A table either belongs to the
 * server, in which case no other role has any rights to it, or is restricted to project or person by policies.
 */
export async function wallFaults(sql: SqlSession, serversOwn: readonly string[]): Promise<readonly string[]> {
  const own = JSON.stringify(serversOwn)
  const told: string[] = []
  for (const [fault, query] of Object.entries(FAULTS)) {
    const values = query.includes('$1') ? [own] : []
    told.push(...(await sql.query<{ name: string }>(query, values)).map(({ name }) => `${name}: ${fault}`))
  }
  return told
}

const TABLES = `
  (SELECT c.*, c.relname IN (SELECT jsonb_array_elements_text($1::text::jsonb)) AS is_own
   FROM pg_class c WHERE relnamespace = 'ken'::regnamespace AND relkind IN ('r', 'p')) t`
const RIGHTS = `(SELECT c.oid, relname, relkind, coalesce(grantee::regrole::text, '-') AS grantee, privilege_type AS right
  FROM pg_class c, aclexplode(c.relacl) WHERE relnamespace = 'ken'::regnamespace AND grantee <> relowner
  UNION ALL
  SELECT c.oid, relname, relkind, coalesce(grantee::regrole::text, '-'), privilege_type || ' of a column'
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid, aclexplode(a.attacl)
  WHERE relnamespace = 'ken'::regnamespace AND grantee <> relowner) r`
const GUARDS = `EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) AND a.attname IN ('project', 'person'))`

/** Faults, each with the SQL that finds it. */
const FAULTS: Readonly<Record<string, string>> = {
  'row-level security is off': `SELECT relname::text AS name FROM ${TABLES} WHERE NOT is_own AND NOT relrowsecurity`,
  'there is no policy': `SELECT relname::text AS name FROM ${TABLES}
    WHERE NOT is_own AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = t.oid)`,
  'a policy asks for neither project nor person': `SELECT tablename::text AS name FROM pg_policies
    WHERE schemaname = 'ken' AND permissive = 'PERMISSIVE' AND (
      (cmd <> 'INSERT' AND coalesce(qual, '') !~ '(project|person) = (?:NULLIF\\()?current_setting\\(''ken\\.\\1''')
      OR (cmd <> 'SELECT' AND cmd <> 'DELETE' AND coalesce(with_check, qual, '') !~ '(project|person) = (?:NULLIF\\()?current_setting\\(''ken\\.\\1'''))`,
  'the tenant may not read it': `SELECT relname::text AS name FROM ${TABLES}
    WHERE NOT is_own AND NOT EXISTS (SELECT FROM ${RIGHTS} WHERE r.oid = t.oid AND grantee = '${TENANT_ROLE}' AND r.right = 'SELECT')`,
  'somebody has a right to a table of the server': `SELECT relname::text AS name FROM ${TABLES}
    WHERE is_own AND EXISTS (SELECT FROM ${RIGHTS} WHERE r.oid = t.oid)`,
  'a right beyond reading and writing rows, or a right of somebody else': `SELECT relname::text AS name FROM ${RIGHTS}
    WHERE relkind <> 'S' AND (grantee <> '${TENANT_ROLE}' OR r.right NOT IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE'))`,
  'a sequence tells what others do': `SELECT relname::text AS name FROM ${RIGHTS} WHERE relkind = 'S' AND r.right <> 'USAGE'`,
  'a view reads with the rights of its owner': `SELECT relname::text AS name FROM pg_class c
    WHERE relnamespace = 'ken'::regnamespace AND (relkind = 'm' OR relkind = 'v' AND NOT coalesce(reloptions::text, '') ~ 'security_invoker=(true|on|1)')
      AND EXISTS (SELECT FROM ${RIGHTS} WHERE r.oid = c.oid)`,
  'a function runs with the rights of its owner': `SELECT proname::text AS name FROM pg_proc
    WHERE pronamespace = 'ken'::regnamespace AND prosecdef AND has_function_privilege('${TENANT_ROLE}', oid, 'EXECUTE')`,
  // Otherwise writing a key reveals whether another tenant has it, and ON CONFLICT DO NOTHING loses the row.
  'a unique key without project or person': `SELECT relname::text AS name FROM ${TABLES}
    WHERE NOT is_own AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = t.oid AND i.indisunique AND NOT ${GUARDS})`,
  // Foreign key checks bypass the policies.
  'it refers to rows of tenants without project or person': `SELECT relname::text AS name FROM ${TABLES}
    WHERE NOT is_own AND EXISTS (SELECT FROM pg_constraint k JOIN pg_class target ON target.oid = k.confrelid
      WHERE k.conrelid = t.oid AND k.contype = 'f' AND target.relrowsecurity AND NOT EXISTS (
        SELECT FROM unnest(k.conkey, k.confkey) AS pair(mine, theirs)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = mine
        JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = theirs
        WHERE a.attname IN ('project', 'person') AND b.attname = a.attname))`,
  'the role of tenants can do more than it should': `SELECT rolname::text AS name FROM pg_roles
    WHERE rolname = '${TENANT_ROLE}' AND (rolsuper OR rolcanlogin OR rolbypassrls OR rolcreaterole OR rolcreatedb
      OR has_schema_privilege(oid, 'ken', 'CREATE')
      OR EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid)
      OR EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid))`,
}
