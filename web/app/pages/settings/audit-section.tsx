import { useState } from 'react'
import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { download } from '../../kit/data/download.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { Part } from './part.tsx'
import { RetentionPart } from './retention-part.tsx'
import { useMutation } from './use-mutation.ts'
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

type Typed = Readonly<Partial<Record<(typeof FIELDS)[number]['name'], string>>>

type Filters = Typed & { readonly outcome?: string; readonly without_page_reads: boolean }

type Outcome = 'any' | 'ok' | 'failed'
type Kinds = 'deliberate' | 'all'

const OUTCOME_OPTIONS: readonly { value: Outcome; label: string }[] = [
  { value: 'any', label: 'Any' },
  { value: 'ok', label: 'OK' },
  { value: 'failed', label: 'Refused or failed' },
]

const KINDS_OPTIONS: readonly { value: Kinds; label: string }[] = [
  { value: 'deliberate', label: 'Without page reads' },
  { value: 'all', label: 'All' },
]

// The largest page that the server gives, and the maximum number of pages in a download.
const [PAGE, MOST_PAGES] = [500, 100]

const AuditLog = ({ isAdmin }: { isAdmin: boolean }) => {
  const [where, setWhere] = useState<Where>(isAdmin ? 'organisation' : 'project')
  const [filters, setFilters] = useState<Filters>({ without_page_reads: true })
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
      <FilterForm
        {...(isAdmin && { where, onWhere: setWhere })}
        onShow={(wanted) => {
          setPages([])
          setFilters(wanted)
        }}
      />
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
        <DownloadButton where={where} filters={filters} />
      </div>
    </Part>
  )
}

interface FilterFormProps {
  readonly where?: Where
  readonly onWhere?: (where: Where) => void
  onShow(filters: Filters): void
}

const FilterForm = ({ where, onWhere, onShow }: FilterFormProps) => {
  const [typed, setTyped] = useState<Typed>({})
  const [outcome, setOutcome] = useState<Outcome>('any')
  const [kinds, setKinds] = useState<Kinds>('deliberate')
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onShow({
          ...Object.fromEntries(Object.entries(typed).filter(([, text]) => text.trim() !== '')),
          ...(outcome !== 'any' && { outcome }),
          without_page_reads: kinds === 'deliberate',
        })
      }}
    >
      {where !== undefined && onWhere !== undefined && (
        <Select<Where> label="Scope" value={where} options={WHERE_OPTIONS} onChange={onWhere} />
      )}
      {FIELDS.map(({ name, label, placeholder }) => (
        <TextField
          key={name}
          label={label}
          placeholder={placeholder}
          value={typed[name] ?? ''}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
        />
      ))}
      <Select<Outcome> label="Outcome" value={outcome} options={OUTCOME_OPTIONS} onChange={setOutcome} />
      <Select<Kinds> label="Entries" value={kinds} options={KINDS_OPTIONS} onChange={setKinds} />
      <Button type="submit">Show</Button>
    </form>
  )
}

const DownloadButton = ({ where, filters }: { where: Where; filters: Filters }) => {
  const project = useProject()
  const { isBusy, fault, run } = useMutation()
  const read = (page: { limit: number; before?: number }) =>
    where === 'organisation'
      ? call(project, 'audit_log', { ...filters, ...page })
      : call(project, 'project_audit', { ...filters, ...page })
  return (
    <>
      <Button busy={isBusy} onClick={() => void run(async () => download(await allEntries(read), 'audit-log.jsonl'))}>
        Download
      </Button>
      {fault && <FaultNote fault={fault} />}
    </>
  )
}

/** Entries from all pages, newest first, one JSON object per line. */
async function allEntries(
  read: (page: { limit: number; before?: number }) => Promise<Calls['audit_log']['output']>,
): Promise<string> {
  const lines: string[] = []
  let next: number | undefined
  for (let at = 0; at < MOST_PAGES; at++) {
    const page = await read({ limit: PAGE, ...(next !== undefined && { before: next }) })
    lines.push(...page.entries.map((entry) => `${JSON.stringify(entry)}\n`))
    next = page.next
    if (next === undefined) break
  }
  return lines.join('')
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
