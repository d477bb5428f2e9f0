import { useState } from 'react'
import { call, type Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { useKeptForm } from '../../kit/use-kept-form.ts'
import { Confirm } from './confirm.tsx'
import { Part } from './part.tsx'
import { useMutation } from './use-mutation.ts'
import styles from './settings.module.css'

type Shown = Calls['context_git']['output']
type Origin = NonNullable<Shown['origin']>

/** For admins: the git repository of the analyst's context, and its status. */
export const ContextGitPart = () => (isOffered('context_git') ? <Told /> : null)

const Told = () => {
  const { data, error, refetch } = useAnswer('context_git', {})
  return (
    <Part
      title="Context from git"
      about="The analyst answers from the `ken.yaml`, rules, documents and tables of this branch. If a commit is unusable, the last good one stays active."
    >
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {data && <Place key={data.origin?.set_at ?? ''} origin={data.origin} keepsSecrets={data.keeps_secrets} />}
      {data?.origin && <Standing origin={data.origin} reaches={data.reaches} />}
      {data?.origin && <Deeds origin={data.origin} webhook={data.webhook} keepsSecrets={data.keeps_secrets} />}
    </Part>
  )
}

const Place = ({ origin, keepsSecrets }: { origin: Origin | undefined; keepsSecrets: boolean }) => {
  const project = useProject()
  const [form, setForm, forget] = useKeptForm(`${project}.context-git.${origin?.set_at ?? ''}`, {
    address: origin?.address ?? '',
    branch: origin?.branch ?? 'main',
    folder: origin?.folder ?? '',
    every: String(origin === undefined ? 60 : (origin.every ?? 0)),
  })
  const { address, branch, folder, every } = form
  // A secret is not stored in the browser.
  const [token, setToken] = useState('')
  const { isBusy, fault, run } = useMutation()
  const tokenHint = keepsSecrets
    ? origin?.has_token
      ? 'Set. Leave empty to keep it.'
      : 'For a private repository.'
    : 'Can’t store a token: KEN_SECRET_KEY is not set on this server.'
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void run(() =>
            call(project, 'context_git_set', {
              address: address.trim(),
              branch: branch.trim(),
              folder: folder.trim(),
              every: Number(every),
              ...(token !== '' && { token }),
            }),
          ).then((isDone) => isDone && forget())
        }}
      >
        <TextField
          label="Address"
          placeholder="https://github.com/acme/context.git"
          value={address}
          onChange={({ target }) => setForm({ ...form, address: target.value })}
        />
        <TextField
          label="Branch"
          value={branch}
          onChange={({ target }) => setForm({ ...form, branch: target.value })}
        />
        <TextField
          label="Folder"
          value={folder}
          onChange={({ target }) => setForm({ ...form, folder: target.value })}
        />
        <TextField
          label="Interval in minutes"
          type="number"
          min={0}
          value={every}
          onChange={({ target }) => setForm({ ...form, every: target.value })}
        />
        <TextField
          label="Token"
          type="password"
          autoComplete="new-password"
          hint={tokenHint}
          disabled={!keepsSecrets}
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
        <Button type="submit" busy={isBusy} disabled={address.trim() === '' || branch.trim() === ''}>
          {origin === undefined ? 'Connect' : 'Change'}
        </Button>
      </form>
      {fault && <FaultNote fault={fault} />}
    </>
  )
}

const Standing = ({ origin: { in_use: used, looked }, reaches }: { origin: Origin; reaches: Shown['reaches'] }) => (
  <ul className={styles.rows}>
    <li className={styles.line}>
      {used === undefined ? (
        <span>No active commit yet.</span>
      ) : (
        <>
          <span className={styles.name}>Active commit</span>
          <code className={styles.mono}>{used.commit.slice(0, 12)}</code>
          <span className={styles.soft}>
            {used.files} files, since <TimeAgo at={used.taken_at} />
          </span>
        </>
      )}
    </li>
    {looked && (
      <li className={styles.line}>
        <span className={styles.name}>Last check</span>
        <span className={styles.soft}>
          <TimeAgo at={looked.at} />: {looked.ok ? 'valid' : 'invalid'}
        </span>
      </li>
    )}
    {looked?.faults.map(({ path, line, message }) => (
      <li key={`${path} ${line} ${message}`} className={styles.line}>
        {path !== undefined && <code className={styles.mono}>{line === undefined ? path : `${path}:${line}`}</code>}
        <span>{message}</span>
      </li>
    ))}
    {reaches
      .filter(({ allowed }) => !allowed)
      .map(({ key, lines }) => (
        <li key={key} className={styles.line}>
          <code className={styles.mono}>{key}</code>
          <span>The server does not allow it to {lines.join(', ')}.</span>
        </li>
      ))}
  </ul>
)

const Deeds = ({ origin, webhook, keepsSecrets }: { origin: Origin; webhook: string; keepsSecrets: boolean }) => {
  const project = useProject()
  const [secret, setSecret] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const { isBusy, fault, run } = useMutation()
  return (
    <>
      <div className={styles.form}>
        <Button busy={isBusy} onClick={() => void run(() => call(project, 'context_git_pull', {}))}>
          Pull now
        </Button>
        <Button
          disabled={!keepsSecrets}
          onClick={() => void run(async () => setSecret((await call(project, 'context_git_hook', {})).secret))}
        >
          {origin.has_webhook ? 'Replace webhook' : 'Create webhook'}
        </Button>
        <Button onClick={() => setAsking(true)}>Remove</Button>
      </div>
      {secret !== undefined && (
        <p role="status" className={styles.line}>
          <span>Send push events as JSON to</span>
          <code className={styles.mono}>{webhook}</code>
          <span>with this secret (shown only once):</span>
          <code className={styles.mono}>{secret}</code>
          <CopyButton alone text={secret} label="Copy the secret" />
        </p>
      )}
      {fault && <FaultNote fault={fault} />}
      {isAsking && (
        <Confirm
          title="Remove the context?"
          about="The analyst loses this context and its files are deleted from the server. The repository is not changed."
          word="Remove"
          deed={() => call(project, 'context_git_remove', {})}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
