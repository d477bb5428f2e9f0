import { Link } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'

/** The way back from what Home shows the beginning of. */
export const HomeLink = () => (
  <Link to="/$project" params={{ project: useProject() }}>
    Home
  </Link>
)
