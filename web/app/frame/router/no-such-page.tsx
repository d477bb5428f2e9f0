import { Link } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { usePageTitle } from '../page-title.ts'
import styles from './router.module.css'

export const NoSuchPage = () => {
  usePageTitle('Page not found')
  return (
    <div className={styles.instead}>
      <h1 tabIndex={-1}>Page not found</h1>
      <p>No page has this address. It may have moved, or the link is incomplete.</p>
      <p>
        <Link to="/$project" params={{ project: useProject() }}>
          Go to Home
        </Link>
      </p>
    </div>
  )
}
