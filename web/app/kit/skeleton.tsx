import styles from './skeleton.module.css'

/** Placeholder for loading content. Appears only after 150 ms, so that quick loads do not flicker. */
export const Skeleton = ({ rows = 3, label = 'Loading' }: { rows?: number; label?: string }) => (
  <div className={styles.skeleton} role="status">
    <span className="visually-hidden">{label}</span>
    {Array.from({ length: rows }, (_, at) => (
      <div key={at} className={styles.row} aria-hidden="true" />
    ))}
  </div>
)
