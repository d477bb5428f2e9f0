import type { ReactNode } from 'react'
import styles from './views.module.css'

interface Props {
  readonly label: string
  /** Links: an icon, and a name in a `span`, which gives way to the icon where it is narrow. */
  readonly children: ReactNode
}

/** The parts of a page, each with an address; they stand beside its title. */
export const Views = ({ label, children }: Props) => (
  <nav className={styles.views} aria-label={label}>
    {children}
  </nav>
)
