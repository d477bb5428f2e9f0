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
import { Part } from './part.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

type Kind = NonNullable<Calls['token_create']['input']['kind']>

const KIND_OPTIONS: readonly { value: Kind; label: string }[] = [
  { value: 'agent', label: 'For an agent' },
  { value: 'personal', label: 'For my own program' },
]

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
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('agent')
  const [secret, setSecret] = useState<string>()
  const { isBusy, fault, run } = useMutation()
  const tokens = data?.tokens.filter(({ state }) => state === 'good') ?? []
  return (
    <Part
      title="Tokens"
      about="A token has at most your permissions; an agent token can only call agent tools. Tokens expire after 90 days."
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void run(async () => {
            setSecret((await call(project, 'token_create', { name: name.trim(), kind })).secret)
            setName('')
          })
        }}
      >
        <TextField label="Name" placeholder="laptop" value={name} onChange={({ target }) => setName(target.value)} />
        <Select<Kind> label="Purpose" value={kind} options={KIND_OPTIONS} onChange={setKind} />
        <Button type="submit" icon="plus" busy={isBusy} disabled={name.trim() === ''}>
          Create token
        </Button>
      </form>
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
              {one.kind} · until {one.expires_at.slice(0, 10)}
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

const Clients = () => {
  const project = useProject()
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
              {one.scopes.join(', ')} · since <TimeAgo at={one.created_at} />
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
