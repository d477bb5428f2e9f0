import { Link } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { usePageTitle } from '../page-title.ts'
import styles from './router.module.css'

export const NoSuchPage = () => {
  usePageTitle('No such page')
  return (
    <div className={styles.instead}>
      <h1 tabIndex={-1}>No such page</h1>
      <p>Nothing lies at this address. It may have been moved, or the link was cut short.</p>
      <p>
        <Link to="/$project" params={{ project: useProject() }}>
          To Home
        </Link>
      </p>
    </div>
  )
}
