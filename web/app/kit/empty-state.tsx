import type { ReactNode } from 'react'
import { Command } from './command.tsx'
import styles from './empty-state.module.css'

interface Props {
  /** One sentence about the content that belongs here. */
  readonly title: string
  /** One real example. */
  readonly example?: ReactNode
  /** Command to copy that adds content; alternatively `action` is a button. */
  readonly command?: string
  readonly action?: ReactNode
}

/** An empty place: the content that belongs there and how to add it. */
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
