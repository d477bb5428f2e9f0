import { DUE_WORDS, type DueReason } from '../../../../../src/context/domain/context-project/due-items.ts'
import { inBytes, plural } from '../../../../../src/kernel/domain/text.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { ProgressBar } from '../../../kit/progress-bar.tsx'
import type { DryRunState } from './use-dry-run.ts'
import type { Plan } from './use-plan.ts'
import styles from './editor.module.css'

type Source = NonNullable<Plan['sources']>[number]

/** Items that a sync would fetch and remove, by source. */
export const DryRun = ({ run: { isRunning, plan, fault } }: { run: DryRunState }) => (
  <section aria-label="Dry run" aria-live="polite" className={styles.note}>
    {isRunning && <ProgressBar label="Checking the sources" />}
    {fault && <FaultNote fault={fault} />}
    {plan?.sources !== undefined && (
      <>
        <h2>A sync would</h2>
        {plan.sources.map((source) => (
          <OneSource key={source.source} source={source} />
        ))}
        {plan.sources.length === 0 && <p className={styles.soft}>fetch nothing: no sources yet.</p>}
        {(plan.removed ?? []).length > 0 && (
          <div>
            <h3>Remove</h3>
            <Some lines={plan.removed ?? []} />
          </div>
        )}
        <p className={styles.soft}>No changes.</p>
      </>
    )}
  </section>
)

const OneSource = ({ source: { source, listed, due, unchanged, error, billed_bytes: billed } }: { source: Source }) => (
  <div>
    <h3>{source}</h3>
    {error !== undefined ? (
      <p className={styles.bad}>{error}</p>
    ) : (
      <p>
        {due.length === 0 ? 'leave it as it is' : `fetch ${due.length} of ${plural(listed, 'item')}`}
        {unchanged > 0 && due.length > 0 && `, ${unchanged} unchanged`}
        {billed !== undefined && `, billed for up to ${inBytes(billed)}`}
      </p>
    )}
    <Some lines={due.map(({ item, reason }) => `${item} (${DUE_WORDS[reason as DueReason] ?? reason})`)} />
  </div>
)

const SHOWN = 12

const Some = ({ lines }: { lines: readonly string[] }) => (
  <ul className={styles.some}>
    {lines.slice(0, SHOWN).map((line) => (
      <li key={line}>{line}</li>
    ))}
    {lines.length > SHOWN && <li className={styles.soft}>and {lines.length - SHOWN} more</li>}
  </ul>
)
