/** Archived project: invisible until an admin restores it, and none of it is lost. */
export const archivedProjects = {
  name: 'archived projects',
  statements: () => ['ALTER TABLE ken.projects ADD COLUMN archived_at timestamptz'],
}
