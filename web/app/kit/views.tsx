import type { ReactNode } from 'react'
import styles from './views.module.css'

interface Props {
  readonly label: string
  /** Links: an icon, and a name in a `span`, which is hidden on narrow screens. */
  readonly children: ReactNode
}

/** The tabs of a page, each with a URL; shown beside its title. */
export const Views = ({ label, children }: Props) => (
  <nav className={styles.views} aria-label={label}>
    {children}
  </nav>
)
