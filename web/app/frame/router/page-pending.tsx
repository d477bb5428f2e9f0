import { Skeleton } from '../../kit/skeleton.tsx'
import styles from './router.module.css'

export const PagePending = () => (
  <div className={styles.instead}>
    <Skeleton rows={6} />
  </div>
)
