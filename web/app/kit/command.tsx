import { CopyButton } from './copy-button.tsx'
import styles from './command.module.css'

/** A command that can be copied, such as `ken sync`. */
export const Command = ({ children }: { children: string }) => (
  <span className={styles.command}>
    <code className={styles.text}>{children}</code>
    <CopyButton alone text={children} label={`Copy ${children}`} />
  </span>
)
