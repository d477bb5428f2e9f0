import type { Calls } from '../../api/call.ts'
import { Keys } from '../../kit/keys.tsx'
import { counted } from './words.ts'
import styles from './nothing-open.module.css'

/** Content of the reading pane before a decision is open. */
export const NothingOpen = ({ head }: { head: Calls['list_decisions']['output'] | undefined }) => {
  const { active = 0, superseded = 0 } = head?.counts?.status ?? {}
  const waiting = head?.counts?.trusted['proposed by an agent'] ?? 0
  return (
    <div className={styles.nothing}>
      {head !== undefined && (
        <p className={styles.sum}>
          {counted(active, 'active decision')}
          {superseded > 0 && `, ${superseded.toLocaleString('en')} superseded`}
          {waiting > 0 && `. ${counted(waiting, 'proposal')} pending review`}.
        </p>
      )}
      <ul className={styles.keys}>
        <li>
          <Keys of="/" /> search decisions, or check an approach
        </li>
        <li>
          <Keys of="j" /> <Keys of="k" /> move through the list, <Keys of="enter" /> opens
        </li>
        <li>
          <Keys of="x" /> selects; compare two with <Keys of="c" />
        </li>
        <li>
          <Keys of="p" /> proposes a decision
        </li>
      </ul>
    </div>
  )
}
