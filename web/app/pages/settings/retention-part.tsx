import { useState } from 'react'
import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Confirm } from './confirm.tsx'
import { Part } from './part.tsx'
import styles from './settings.module.css'

type Kept = Calls['retention']['output']
type Name = 'audit_days' | 'deleted_days' | 'chat_days'

const FIELDS: readonly { readonly name: Name; readonly label: string; readonly hint: string }[] = [
  { name: 'audit_days', label: 'Audit log', hint: 'Days, at least 30.' },
  { name: 'deleted_days', label: 'Deleted chats', hint: 'Days to restore them, at most 30.' },
  { name: 'chat_days', label: 'Unstarred chats', hint: 'Days since last use; 0 keeps them.' },
]

/** Retention periods; admins of the organisation set them. */
export const RetentionPart = ({ isAdmin }: { isAdmin: boolean }) => {
  const { data, error } = useAnswer('retention', {})
  return (
    <Part title="Retention" about="Older data is permanently deleted within an hour.">
      {error && <FaultNote fault={error} />}
      {!error && data === undefined && <Skeleton rows={3} />}
      {data && (isAdmin ? <RetentionForm kept={data} /> : <RetentionLines kept={data} />)}
      {data && (
        <p className={styles.soft}>
          Server-wide: browsers {data.server.sessions} days after last use, tokens {data.server.tokens} and invitations{' '}
          {data.server.invitations} days after they expire, failed jobs {data.server.jobs} days.
        </p>
      )}
    </Part>
  )
}

const RetentionLines = ({ kept }: { kept: Kept }) => (
  <ul className={styles.rows}>
    {FIELDS.map(({ name, label }) => (
      <li key={name} className={styles.line}>
        <span className={styles.name}>{label}</span>
        <span>{kept[name] === undefined ? 'kept' : `${kept[name]} days`}</span>
      </li>
    ))}
  </ul>
)

const RetentionForm = ({ kept }: { kept: Kept }) => {
  const project = useProject()
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const [isAsking, setAsking] = useState(false)
  const wanted = Object.fromEntries(
    Object.entries(typed).flatMap(([name, text]) =>
      /^\d+$/.test(text) && Number(text) !== (kept[name as Name] ?? 0) ? [[name, Number(text)]] : [],
    ),
  )
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setAsking(true)
      }}
    >
      {FIELDS.map(({ name, label, hint }) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          inputMode="numeric"
          value={typed[name] ?? String(kept[name] ?? 0)}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
        />
      ))}
      <Button type="submit" disabled={Object.keys(wanted).length === 0}>
        Save
      </Button>
      {isAsking && (
        <Confirm
          title="Change retention?"
          about="Older data is deleted within an hour. This cannot be undone."
          word="Save"
          deed={() => call(project, 'retention_set', wanted)}
          onClose={() => setAsking(false)}
        />
      )}
    </form>
  )
}
