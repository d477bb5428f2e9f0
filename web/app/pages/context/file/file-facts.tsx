import type { Calls } from '../../../api/call.ts'
import { Icon } from '../../../kit/icon.tsx'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import { TrustMark } from '../../../kit/trust-mark.tsx'
import styles from './file-page.module.css'

type Facts = Calls['context_files']['output']['files'][number]

/** Origin, time and trust of a file, in one line. */
export const FileFacts = ({ facts, stale }: { facts: Facts | undefined; stale: string | undefined }) => {
  if (facts === undefined) return null
  return (
    <>
      <p className={styles.facts}>
        {facts.source === undefined ? (
          <span>Written by people; never changed by a sync.</span>
        ) : (
          <>
            <TrustMark trust={facts.model === undefined ? 'compiled' : 'learned'} />
            <span>
              from {facts.source}
              {facts.fetched_at !== undefined && (
                <>
                  , <TimeAgo at={facts.fetched_at} />
                </>
              )}
              {facts.model !== undefined && `, written by ${facts.model}`}
            </span>
          </>
        )}
        <span>{facts.bytes.toLocaleString('en-US')} bytes</span>
      </p>
      {stale !== undefined && (
        <p className={styles.stale}>
          <Icon name="warn" size={14} /> Stale: {stale}
        </p>
      )}
    </>
  )
}
