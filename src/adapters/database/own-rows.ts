import { TENANT_ROLE } from './scoped.ts'

/**
 * Statements that let the tenant role at a table, and there only at the rows of its project; with `person` only at those
 * of its person as well. A table without them belongs to the server alone.
 */
export const ownRows = (
  table: string,
  by: 'project' | 'person' | 'project and person' = 'project',
): readonly string[] => {
  // A scope without one sets it to nothing, which must not reach rows that have nothing there.
  const [project, person] = ['project', 'person'].map(
    (name) => `${name} = nullif(current_setting('ken.${name}', true), '')`,
  )
  const own = { project, person, 'project and person': `${project} AND ${person}` }[by]
  return [
    `ALTER TABLE ken.${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_rows ON ken.${table} USING (${own}) WITH CHECK (${own})`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ken.${table} TO ${TENANT_ROLE}`,
  ]
}
