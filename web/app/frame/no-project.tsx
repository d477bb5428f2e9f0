import { Link } from '@tanstack/react-router'
import { useProject } from '../api/queries.ts'
import { EmptyState } from '../kit/empty-state.tsx'

/** Stands in for a page of a folder without a project; Home sets the folder up. */
export const NoProject = ({ things }: { /** What the page lists: `Decisions`. */ things: string }) => (
  <EmptyState
    title={`${things} appear here once this folder is a project.`}
    action={
      <Link to="/$project" params={{ project: useProject() }}>
        Set up this folder
      </Link>
    }
    command="ken init"
  />
)
