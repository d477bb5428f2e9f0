import { inBytes } from '../../../../src/kernel/domain/text.ts'
import { useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { LongMutationBar } from './long-mutation-bar.tsx'
import { Part } from './part.tsx'
import { SettingControl } from './setting-control.tsx'
import { useLongMutation } from './use-long-mutation.ts'
import { useSettings } from './use-setting.ts'
import styles from './settings.module.css'
import table from './storage-section.module.css'

const LIMITS: readonly (readonly [name: string, label: string])[] = [
  ['storage.maxSize', 'Index and sessions together'],
  ['storage.retention', 'Sessions are kept for'],
  ['storage.minFreeDisk', 'Free disk that is left alone'],
]

/** Ken's files on this machine, which of them are safe to delete, and the size limits. */
export const StorageSection = () => (
  <>
    <Kept />
    <TheIndex />
    <Limits />
  </>
)

const Kept = () => {
  const { data, error, refetch } = useAnswer('storage', {})
  if (error) return <FaultNote fault={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={8} />
  return (
    <Part title={`${inBytes(data.bytes)} on this machine`}>
      <p className={styles.line}>
        <span className={styles.mono}>{data.home}</span>
        <CopyButton alone text={data.home} label="Copy the path" />
      </p>
      <div className={table.scroll} tabIndex={0} role="region" aria-label="Parts of the Ken home">
        <table className={table.parts}>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" className={table.right}>
                Size
              </th>
              <th scope="col">Holds</th>
              <th scope="col">May be deleted</th>
            </tr>
          </thead>
          <tbody>
            {data.parts.map((one) => (
              <tr key={one.name}>
                <th scope="row" className={styles.mono}>
                  {one.name}
                </th>
                <td className={table.right}>{inBytes(one.bytes)}</td>
                <td>{one.holds}</td>
                <td className={styles.soft}>{one.removable ? `Yes: ${one.back ?? 'nobody misses it'}` : 'No'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Part>
  )
}

const TheIndex = () => {
  const { data } = useAnswer('memory_status', {})
  const reindex = useLongMutation('reindex')
  const update = useLongMutation('memory_update')
  const isBusy = reindex.isBusy || update.isBusy
  const done = reindex.outcome ?? update.outcome
  return (
    <Part title="Index" about="Derived from your files: it can be made anew at any time, and searches go on meanwhile.">
      {data && (
        <p>
          {data.documents.toLocaleString('en-US')} documents in {data.chunks.toLocaleString('en-US')} passages;{' '}
          {inBytes(data.index_bytes)} of index, {inBytes(data.session_bytes)} of sessions.
        </p>
      )}
      {data?.advice.map((line) => (
        <p key={line} className={styles.warn}>
          {line}
        </p>
      ))}
      <div className={styles.line}>
        <Button icon="refresh" busy={isBusy} onClick={() => update.start({})}>
          Read what changed
        </Button>
        <Button busy={isBusy} onClick={() => reindex.start({})}>
          Make it anew
        </Button>
        {done && !isBusy && (
          <span role="status" className={styles.soft}>
            {done.busy
              ? 'Another process is at it.'
              : `${done.added} added, ${done.changed} changed, ${done.removed} removed.`}
          </span>
        )}
      </div>
      <LongMutationBar deed={reindex} label="Making the index anew" />
      <LongMutationBar deed={update} label="Reading what changed" />
    </Part>
  )
}

const Limits = () => {
  const { find, change } = useSettings()
  return (
    <Part
      title="Limits"
      about="Above them, the sessions that were spoken or used longest ago are evicted. Notes, decisions and chats never are."
    >
      <ul className={styles.rows}>
        {LIMITS.map(([name, label]) => {
          const setting = find(name)
          return (
            setting && (
              <li key={name}>
                <SettingControl setting={setting} change={change} label={label} />
              </li>
            )
          )
        })}
      </ul>
    </Part>
  )
}
