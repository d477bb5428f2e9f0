import type { Calls } from '../../../api/call.ts'
import { classNames } from '../../../kit/class-names.ts'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import styles from './about-me.module.css'

type Event = Calls['memories_history']['output']['events'][number]

export const MemoryEvents = ({ events }: { events: readonly Event[] }) => (
  <ol className={styles.events}>
    {events.map((event, at) => (
      <li key={at} className={styles.event}>
        <TimeAgo at={event.at} />
        <span>{KINDS[event.kind] ?? event.kind}</span>
        <span className={classNames(event.undone && styles.undone)}>
          {event.kind === 'edit' && event.before !== undefined && `${event.before} → `}
          {event.after ?? event.before ?? 'erased'}
          {event.undone && <span className="visually-hidden"> (undone)</span>}
        </span>
      </li>
    ))}
  </ol>
)

const KINDS: Readonly<Record<string, string>> = {
  add: 'added',
  edit: 'changed',
  forget: 'forgotten',
  erase: 'erased',
  supersede: 'replaced',
  revive: 'revived',
  undo: 'undone',
}
