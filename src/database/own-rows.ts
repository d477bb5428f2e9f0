import { TENANT_ROLE } from './scoped.ts'

/**
 * Project or person of the transaction, for policies. A scope that has none sets an empty string, which must not match
 * rows with an empty value.
 */
export const OWN_PROJECT = "nullif(current_setting('ken.project', true), '')"
export const OWN_PERSON = "nullif(current_setting('ken.person', true), '')"

/**
 * Statements that grant the tenant role access to the rows of its project in a table; with `person`, only to the rows
 * of its person. A table without them is accessible to the server only.
 */
export const ownRows = (
  table: string,
  by: 'project' | 'person' | 'project and person' = 'project',
): readonly string[] => {
  const own = {
    project: `project = ${OWN_PROJECT}`,
    person: `person = ${OWN_PERSON}`,
    'project and person': `project = ${OWN_PROJECT} AND person = ${OWN_PERSON}`,
  }[by]
  return [
    `ALTER TABLE ken.${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_rows ON ken.${table} USING (${own}) WITH CHECK (${own})`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ken.${table} TO ${TENANT_ROLE}`,
  ]
}
