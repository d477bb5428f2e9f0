import { useId } from 'react'
import { plural } from '../../../../../src/kernel/domain/text.ts'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import { FaultLines } from './fault-lines.tsx'
import { OriginDeeds } from './origin-deeds.tsx'
import { placeWords } from './place-words.ts'
import { useInUse, type Origin } from './use-in-use.ts'
import { useIsAdmin } from './use-is-admin.ts'
import styles from './in-use.module.css'

/** On a team server: the active commit, its activation time, and the result of the last check. */
export const InUse = () => {
  const { origin, error, refetch, isPulling, pull } = useInUse()
  const isAdmin = useIsAdmin()
  const id = useId()
  if (error) return <FaultNote fault={error} again={() => void refetch()} />
  if (origin === undefined) return null
  const { in_use: used, looked } = origin
  return (
    <section aria-labelledby={id} className={styles.inUse}>
      <h2 id={id} className={styles.heading}>
        From git
      </h2>
      {used !== undefined && (
        <p className={styles.line}>
          <Icon name="check" size={14} />
          <code className={styles.mono} title={used.commit}>
            {used.commit.slice(0, 12)}
          </code>
          <CopyButton alone text={used.commit} label="Copy the commit" />
          <span>of {placeWords(origin)}</span>
          <span className={styles.soft}>
            active since <TimeAgo at={used.taken_at} />
          </span>
        </p>
      )}
      <p role="status" className={styles.soft}>
        {isPulling ? 'Pulling…' : looked?.ok && <Well at={looked.at} every={origin.every} />}
      </p>
      {looked?.ok === false && <Failed looked={looked} />}
      {used !== undefined && used.left_out.length > 0 && <LeftOut files={used.left_out} />}
      {isAdmin && <OriginDeeds isPulling={isPulling} pull={pull} />}
    </section>
  )
}

const Well = ({ at, every }: { at: string; every: number | undefined }) => (
  <>
    Checked <TimeAgo at={at} />: up to date.{' '}
    {every === undefined ? 'Pulled after each push, or with “Pull now”.' : `Checked every ${every} minutes.`}
  </>
)

const Failed = ({ looked }: { looked: NonNullable<Origin['looked']> }) => (
  <div className={styles.failed}>
    <Icon name="warn" />
    <div>
      <p>
        The last pull failed <TimeAgo at={looked.at} />
        {looked.commit !== undefined && (
          <>
            {' '}
            at <code className={styles.mono}>{looked.commit.slice(0, 12)}</code>
          </>
        )}
        . The active version is kept.
      </p>
      <FaultLines faults={looked.faults} />
    </div>
  </div>
)

const LeftOut = ({ files }: { files: NonNullable<Origin['in_use']>['left_out'] }) => (
  <details className={styles.soft}>
    <summary>{plural(files.length, 'file')} skipped</summary>
    <ul className={styles.faults}>
      {files.map(({ path, why }) => (
        <li key={path}>
          <code className={styles.mono}>{path}</code> {why}
        </li>
      ))}
    </ul>
  </details>
)
