import { classNames } from '../../../kit/class-names.ts'
import { Icon } from '../../../kit/icon.tsx'
import { ProgressBar } from '../../../kit/progress-bar.tsx'
import { WithCode } from '../../../kit/with-code.tsx'
import type { SourceSync } from './sync-state.ts'
import styles from './sources-page.module.css'

/** Progress or result of one source, with all failures. */
export const SourceProgress = ({ sync: { phase, done, total, says, faults } }: { sync: SourceSync }) => {
  if (phase === 'listing' || phase === 'fetching' || phase === 'waiting')
    return <ProgressBar label={says} {...(total !== undefined && total > 0 && { value: done, of: total })} />
  return (
    <div className={classNames(styles.check, phase === 'failed' ? styles.bad : styles.good)}>
      <Icon name={phase === 'failed' ? 'warn' : 'check'} size={14} />
      {faults.length === 0 ? (
        <span>{says}</span>
      ) : (
        <ul>
          {faults.slice(0, SHOWN).map((fault, at) => (
            <li key={at}>
              <WithCode>{fault}</WithCode>
            </li>
          ))}
          {faults.length > SHOWN && <li>and {faults.length - SHOWN} more</li>}
        </ul>
      )}
    </div>
  )
}

const SHOWN = 10
