/** A project that is put away: nobody finds it until an admin brings it back, and nothing of it is lost. */
export const archivedProjects = {
  name: 'archived projects',
  statements: () => ['ALTER TABLE ken.projects ADD COLUMN archived_at timestamptz'],
}
