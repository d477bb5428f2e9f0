import { inBytes } from '../../../../src/kernel/domain/text.ts'
import { useAnswer } from '../../api/queries.ts'
import { LongMutationBar } from '../../frame/long-mutation-bar.tsx'
import { useLongMutation } from '../../frame/use-long-mutation.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Part } from './part.tsx'
import { SettingControl } from './setting-control.tsx'
import { useSettings } from './use-setting.ts'
import styles from './settings.module.css'
import table from './storage-section.module.css'

const LIMITS: readonly (readonly [name: string, label: string])[] = [
  ['storage.maxSize', 'Index and sessions'],
  ['storage.retention', 'Session retention'],
  ['storage.minFreeDisk', 'Minimum free disk'],
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
      <div className={table.scroll} tabIndex={0} role="region" aria-label="Ken home contents">
        <table className={table.parts}>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" className={table.right}>
                Size
              </th>
              <th scope="col">Holds</th>
              <th scope="col">Safe to delete</th>
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
                <td className={styles.soft}>{one.removable ? `Yes: ${one.back ?? 'not needed'}` : 'No'}</td>
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
    <Part
      title="Index"
      about="Derived from your files. You can rebuild it at any time; search keeps working meanwhile."
    >
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
          {' '}
          Update index{' '}
        </Button>
        <Button busy={isBusy} onClick={() => reindex.start({})}>
          {' '}
          Rebuild index{' '}
        </Button>
        {done && !isBusy && (
          <span role="status" className={styles.soft}>
            {done.busy
              ? 'Another process is updating the index.'
              : `${done.added} added, ${done.changed} changed, ${done.removed} removed.`}
          </span>
        )}
      </div>
      <LongMutationBar deed={reindex} label="Rebuilding the index" />
      <LongMutationBar deed={update} label="Updating the index" />
    </Part>
  )
}

const Limits = () => {
  const { find, change } = useSettings()
  return (
    <Part
      title="Limits"
      about="Above these limits, Ken deletes the least recently used sessions. It never deletes notes, decisions or chats."
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
