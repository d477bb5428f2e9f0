import { useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { Part } from './part.tsx'
import { RetentionPart } from './retention-part.tsx'
import styles from './settings.module.css'

type Entry = Calls['audit_log']['output']['entries'][number]
type Where = 'project' | 'organisation'

const WHERE_OPTIONS: readonly { value: Where; label: string }[] = [
  { value: 'organisation', label: 'The organisation' },
  { value: 'project', label: 'This project' },
]

/** The audit log: the organisation's for its admins, the project's for project admins. */
export const AuditSection = () => {
  const { data } = useAnswer('people_list', {})
  if (data === undefined) return <Skeleton rows={4} />
  const isAdmin = data.you.role === 'admin'
  return (
    <>
      <AuditLog isAdmin={isAdmin} />
      <RetentionPart isAdmin={isAdmin} />
    </>
  )
}

const FIELDS = [
  { name: 'person', label: 'Person', placeholder: 'ada@example.com' },
  { name: 'operation', label: 'Operation', placeholder: 'token_create' },
  { name: 'agent', label: 'Token, grant or program', placeholder: '' },
  { name: 'since', label: 'Since', placeholder: '2026-05-01' },
] as const

type Filters = Readonly<Partial<Record<(typeof FIELDS)[number]['name'], string>>>

const AuditLog = ({ isAdmin }: { isAdmin: boolean }) => {
  const [where, setWhere] = useState<Where>(isAdmin ? 'organisation' : 'project')
  const [typed, setTyped] = useState<Filters>({})
  const [filters, setFilters] = useState<Filters>({})
  const [pages, setPages] = useState<readonly number[]>([])
  const before = pages.at(-1)
  const input = { ...filters, ...(before !== undefined && { before }) }
  const ofAll = useAnswer('audit_log', input, { enabled: where === 'organisation', keep: true })
  const ofOne = useAnswer('project_audit', input, { enabled: where === 'project', keep: true })
  const { data, error, refetch } = where === 'organisation' ? ofAll : ofOne
  return (
    <Part
      title="Audit log"
      about="Every call, sign-in and access change: who, with which client and from where. Never the content."
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          setPages([])
          setFilters(Object.fromEntries(Object.entries(typed).filter(([, text]) => text.trim() !== '')))
        }}
      >
        {isAdmin && <Select<Where> label="Scope" value={where} options={WHERE_OPTIONS} onChange={setWhere} />}
        {FIELDS.map(({ name, label, placeholder }) => (
          <TextField
            key={name}
            label={label}
            placeholder={placeholder}
            value={typed[name] ?? ''}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          />
        ))}
        <Button type="submit">Show</Button>
      </form>
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {!error && data === undefined && <Skeleton rows={6} />}
      {data?.entries.length === 0 && <p>No entries.</p>}
      <ul className={styles.rows} aria-label="Audit log entries">
        {data?.entries.map((entry) => (
          <li key={entry.place}>
            <EntryLine entry={entry} />
          </li>
        ))}
      </ul>
      <div className={styles.line}>
        <Button disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
          Newer
        </Button>
        <Button
          disabled={data?.next === undefined}
          onClick={() => data?.next !== undefined && setPages([...pages, data.next])}
        >
          Older
        </Button>
      </div>
    </Part>
  )
}

const EntryLine = ({ entry }: { entry: Entry }) => (
  <div className={styles.line}>
    <span className={styles.name}>{entry.person?.name ?? entry.person?.id ?? whoElse(entry)}</span>
    <span className={styles.mono}>{entry.operation}</span>
    <span className={styles.grow}>
      <span className={styles.soft}>
        {[
          entry.outcome === 'ok' ? undefined : entry.outcome,
          entry.subject_name ?? entry.subject,
          entry.through,
          entry.client,
          entry.source,
        ]
          .filter((part) => part !== undefined)
          .join(' · ')}
      </span>
    </span>
    <TimeAgo at={entry.at} />
  </div>
)

const whoElse = ({ through }: Entry): string => (through === 'server' ? 'The server' : 'Unknown')
