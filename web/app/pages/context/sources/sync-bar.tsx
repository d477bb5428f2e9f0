import { plural } from '../../../../../src/kernel/domain/text.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { ProgressBar } from '../../../kit/progress-bar.tsx'
import type { Sync } from './use-sync.ts'
import styles from './sources-page.module.css'

/** Progress and result of the whole sync. */
export const SyncBar = ({ sync: { isRunning, progress, output, fault } }: { sync: Sync }) => (
  <div role="status" aria-live="polite" className={styles.bar}>
    {isRunning && (
      <ProgressBar
        label={
          progress === undefined || progress.total === 0
            ? 'Checking for changes'
            : `Syncing, ${progress.done} of ${progress.total}`
        }
        {...(progress !== undefined && progress.total > 0 && { value: progress.done, of: progress.total })}
      />
    )}
    {!isRunning && fault !== undefined && <FaultNote fault={fault} />}
    {!isRunning && output !== undefined && <p className={styles.outcome}>{outcomeOf(output)}</p>}
  </div>
)

function outcomeOf({ sources, files, failures, redacted, kept }: NonNullable<Sync['output']>): string {
  const failed = sources.filter((one) => failures.some(({ source }) => source === one.source)).length
  const written = sources.reduce((sum, one) => sum + one.written, 0)
  return [
    failed === 0
      ? `Synced ${plural(sources.length, 'source')}.`
      : `${failed} of ${plural(sources.length, 'source')} failed; their old files are kept and marked stale.`,
    `${plural(written, 'item')} written, ${plural(files, 'file')} in all.`,
    redacted > 0 && `${plural(redacted, 'secret')} masked.`,
    kept.length > 0 && `${plural(kept.length, 'file')} kept, because people created or edited them.`,
  ]
    .filter(Boolean)
    .join(' ')
}
