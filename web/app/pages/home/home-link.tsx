import { Link } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'

/** Link back to Home, from a list that Home shows the beginning of. */
export const HomeLink = () => (
  <Link to="/$project" params={{ project: useProject() }}>
    Home
  </Link>
)
