import { TENANT_ROLE } from './scoped.ts'

/**
 * Whose transaction it is, for policies. A scope without one sets it to nothing, which must not reach rows that have
 * nothing there.
 */
export const OWN_PROJECT = "nullif(current_setting('ken.project', true), '')"
export const OWN_PERSON = "nullif(current_setting('ken.person', true), '')"

/**
 * Statements that let the tenant role at a table, and there only at the rows of its project; with `person` only at those
 * of its person as well. A table without them belongs to the server alone.
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
