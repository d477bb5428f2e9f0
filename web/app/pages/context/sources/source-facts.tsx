import { plural } from '../../../../../src/kernel/domain/text.ts'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import type { SourceRow, SourceState } from './source-state.ts'
import styles from './sources-page.module.css'

interface Props {
  readonly source: SourceRow
  readonly state: SourceState
  readonly isReasonTold: boolean
}

/** Describes a source, its compiled items and their age, and the reason for a failure. */
export const SourceFacts = ({ source, state, isReasonTold }: Props) => (
  <>
    <p className={styles.facts}>
      <span>{source.type}</span>
      {source.where !== '' && <span className={styles.where}>{source.where}</span>}
      {source.synced !== undefined && state.since === undefined && (
        <span>
          synced <TimeAgo at={source.synced} />
        </span>
      )}
      {source.checked !== undefined && source.checked !== source.synced && (
        <span>
          checked <TimeAgo at={source.checked} />
        </span>
      )}
      {source.data_changed_at !== undefined && (
        <span>
          rows changed <TimeAgo at={source.data_changed_at} />
        </span>
      )}
      {source.files > 0 && (
        <span>
          {plural(source.items, source.key.startsWith('database/') ? 'table' : 'item')},{' '}
          {source.tokens.toLocaleString('en-US')} tokens
        </span>
      )}
    </p>
    {isReasonTold && state.reason !== undefined && (
      <p className={styles.reason}>
        {source.failing !== undefined && state.tone === 'bad' && (
          <>
            Since <TimeAgo at={source.failing.since} />:{' '}
          </>
        )}
        {state.reason}
      </p>
    )}
  </>
)
