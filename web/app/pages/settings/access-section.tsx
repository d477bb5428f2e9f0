import { useState } from 'react'
import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { dayWords } from '../../kit/time-words.ts'
import { Part } from './part.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

type Kind = NonNullable<Calls['token_create']['input']['kind']>

const KIND_OPTIONS: readonly { value: Kind; label: string }[] = [
  { value: 'agent', label: 'For an agent' },
  { value: 'personal', label: 'For my own program' },
]

type Rights = 'read' | 'write' | 'admin'

const SCOPES_OF = {
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
} as const satisfies Record<Rights, Calls['token_create']['input']['scopes']>

const RIGHTS_OPTIONS: readonly { value: Rights; label: string }[] = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
  { value: 'admin', label: 'Everything I may do' },
]

const DAYS_OPTIONS = ['7', '30', '90', '365'].map((days) => ({ value: days, label: `${days} days` }))

const ALL = 'all'

/** The reader's credentials: tokens, authorised clients, browsers. */
export const AccessSection = () => (
  <>
    <Tokens />
    <Clients />
    <Browsers />
    <OwnData />
  </>
)

const OwnData = () => (
  <Part
    title="Your data"
    about="Everything the server stores about you, as an archive with a README: account, access, chats, stories, memories, shared items and your audit log entries."
  >
    <p className={styles.line}>
      <a href="/account">Download from your account</a>
    </p>
  </Part>
)

const Tokens = () => {
  const project = useProject()
  const { data, error, refetch } = useAnswer('token_list', {})
  const names = useProjectNames()
  const [secret, setSecret] = useState<string>()
  const { isBusy, fault, run } = useMutation()
  const tokens = data?.tokens.filter(({ state }) => state === 'good') ?? []
  return (
    <Part title="Tokens" about="A token has at most your permissions; an agent token can only call agent tools.">
      <TokenForm
        names={names}
        isBusy={isBusy}
        onCreate={(wanted, done) =>
          void run(async () => {
            setSecret((await call(project, 'token_create', wanted)).secret)
            done()
          })
        }
      />
      {secret !== undefined && (
        <p role="status" className={styles.line}>
          <span>Shown only once:</span>
          <code className={styles.mono}>{secret}</code>
          <CopyButton alone text={secret} label="Copy the token" />
        </p>
      )}
      {fault && <FaultNote fault={fault} />}
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {!error && data === undefined && <Skeleton rows={2} />}
      <ul className={styles.rows}>
        {tokens.map((one) => (
          <li key={one.id} className={styles.line}>
            <span className={styles.name}>{one.name}</span>
            <span className={styles.soft}>
              {one.kind} · {one.scopes.join(', ')} · {projectsOf(one.projects, names)} · until{' '}
              {dayWords(one.expires_at)}
              {one.used_at !== undefined && (
                <>
                  {' · '}used <TimeAgo at={one.used_at} />
                </>
              )}
            </span>
            <span className={styles.end}>
              <Button
                size="small"
                aria-label={`Revoke ${one.name}`}
                onClick={() => void run(() => call(project, 'token_revoke', { id: one.id }))}
              >
                Revoke
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

interface TokenFormProps {
  readonly names: ReadonlyMap<string, string>
  readonly isBusy: boolean
  onCreate(wanted: Calls['token_create']['input'], done: () => void): void
}

const TokenForm = ({ names, isBusy, onCreate }: TokenFormProps) => {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('agent')
  const [rights, setRights] = useState<Rights>('write')
  const [days, setDays] = useState('90')
  const [only, setOnly] = useState(ALL)
  const places = [{ value: ALL, label: 'All my projects' }, ...[...names].map(([value, label]) => ({ value, label }))]
  const wanted = {
    name: name.trim(),
    kind,
    scopes: [...SCOPES_OF[rights]],
    days: Number(days),
    ...(only !== ALL && { projects: [only] }),
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onCreate(wanted, () => setName((now) => (now === name ? '' : now)))
      }}
    >
      <TextField label="Name" placeholder="laptop" value={name} onChange={({ target }) => setName(target.value)} />
      <Select<Kind> label="Purpose" value={kind} options={KIND_OPTIONS} onChange={setKind} />
      <Select<Rights> label="Rights" value={rights} options={RIGHTS_OPTIONS} onChange={setRights} />
      <Select label="Project" value={only} options={places} onChange={setOnly} />
      <Select label="Expires after" value={days} options={DAYS_OPTIONS} onChange={setDays} />
      <Button type="submit" icon="plus" busy={isBusy} disabled={name.trim() === ''}>
        Create token
      </Button>
    </form>
  )
}

function useProjectNames(): ReadonlyMap<string, string> {
  const { data } = useAnswer('list_projects', {}, { keep: true })
  return new Map(data?.projects.map(({ id, name }) => [id, name]))
}

const projectsOf = (ids: readonly string[] | undefined, names: ReadonlyMap<string, string>): string =>
  ids === undefined ? 'all projects' : ids.map((id) => names.get(id) ?? id).join(', ')

const Clients = () => {
  const project = useProject()
  const names = useProjectNames()
  const { data } = useAnswer('grants_list', {})
  const { fault, run } = useMutation()
  if (data === undefined || data.grants.length === 0) return null
  return (
    <Part title="Clients" about="Programs you allowed to sign in as you.">
      <ul className={styles.rows}>
        {data.grants.map((one) => (
          <li key={one.id} className={styles.line}>
            <span className={styles.name}>{one.client}</span>
            <span className={styles.soft}>
              {one.scopes.join(', ')} · {projectsOf(one.projects, names)} · since <TimeAgo at={one.created_at} />
            </span>
            <span className={styles.end}>
              <Button
                size="small"
                aria-label={`Revoke ${one.client}`}
                onClick={() => void run(() => call(project, 'grant_revoke', { id: one.id }))}
              >
                Revoke
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {fault && <FaultNote fault={fault} />}
    </Part>
  )
}

const Browsers = () => {
  const project = useProject()
  const { data } = useAnswer('sessions_list', {})
  const { fault, run } = useMutation()
  return (
    <Part title="Browsers" about="Your signed-in browsers. Manage passkeys at `/account`.">
      <ul className={styles.rows}>
        {data?.sessions.map((one) => (
          <li key={one.id} className={styles.line}>
            <span className={styles.name}>{one.browser ?? 'A browser'}</span>
            <span className={styles.soft}>
              {one.current && 'this one · '}used <TimeAgo at={one.used_at} />
            </span>
            <span className={styles.end}>
              <Button
                size="small"
                aria-label={`Sign out ${one.browser ?? 'a browser'}`}
                onClick={() => void run(() => call(project, 'session_end', { id: one.id }))}
              >
                Sign out
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {fault && <FaultNote fault={fault} />}
    </Part>
  )
}
