import type { ReactNode } from 'react'
import { Command } from './command.tsx'
import styles from './empty-state.module.css'

interface Props {
  /** One sentence on what would stand here. */
  readonly title: string
  /** One real example of it. */
  readonly example?: ReactNode
  /** What fills it: a command to copy, or a button. */
  readonly command?: string
  readonly action?: ReactNode
}

/** A place with nothing in it, which says what belongs there and how to put it there. */
export const EmptyState = ({ title, example, command, action }: Props) => (
  <div className={styles.empty}>
    <p className={styles.title}>{title}</p>
    {example !== undefined && (
      <figure className={styles.example}>
        <figcaption className={styles.caption}>For example</figcaption>
        {example}
      </figure>
    )}
    {(command !== undefined || action !== undefined) && (
      <div className={styles.way}>
        {action}
        {command !== undefined && <Command>{command}</Command>}
      </div>
    )}
  </div>
)
