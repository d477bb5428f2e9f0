import { plural } from '../../../../../src/kernel/domain/text.ts'
import { Button } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icon.tsx'
import type { Plan } from './use-plan.ts'
import styles from './editor.module.css'

interface Props {
  readonly plan: Plan | undefined
  readonly isChanged: boolean
  readonly onTrust: () => void
}

/** Additions, removals and changes in the text, and the access that must be trusted first. */
export const PlanNote = ({ plan, isChanged, onTrust }: Props) => {
  if (plan === undefined) return null
  const { added, removed, changed } = plan.changes
  const isSame = added.length + removed.length + changed.length === 0
  const wrong = plan.diagnostics.length
  return (
    <section aria-label="Changes" className={styles.note}>
      <h2>Validation</h2>
      {wrong > 0 && (
        <p className={styles.bad}>
          <Icon name="warn" size={14} /> {plural(wrong, 'problem')}
          {plan.usable ? '. It can still be saved.' : '. Fix before saving.'}
        </p>
      )}
      {wrong === 0 && (
        <p className={styles.good}>
          <Icon name="check" size={14} /> Valid.
        </p>
      )}
      {plan.usable && isSame && <p className={styles.soft}>{isChanged ? 'No source changes.' : 'No changes.'}</p>}
      <Entries sign="+" word="added" keys={added} />
      <Entries sign="−" word="removed" keys={removed} />
      <Entries sign="~" word="changed" keys={changed} />
      {plan.untrusted.map(({ entry, reaches, change }) => (
        <div key={entry} className={styles.untrusted}>
          <p>
            <Icon name="lock" size={14} /> <strong>{entry}</strong> needs your trust first. It would{' '}
            {change ?? reaches.join(', ')}.
          </p>
        </div>
      ))}
      {plan.untrusted.length > 0 &&
        (isChanged ? (
          <p className={styles.soft}>Save, then review what it can reach.</p>
        ) : (
          <Button size="small" icon="lock" onClick={onTrust}>
            Review and trust
          </Button>
        ))}
    </section>
  )
}

const Entries = ({ sign, word, keys }: { sign: string; word: string; keys: readonly string[] }) =>
  keys.length === 0 ? null : (
    <ul className={styles.entries}>
      {keys.map((key) => (
        <li key={key}>
          <span aria-hidden="true">{sign}</span> <code>{key}</code> <span className={styles.soft}>{word}</span>
        </li>
      ))}
    </ul>
  )
