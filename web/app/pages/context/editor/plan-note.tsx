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

/** Additions, removals and changes of the text, and the reach that must be trusted first. */
export const PlanNote = ({ plan, isChanged, onTrust }: Props) => {
  if (plan === undefined) return null
  const { added, removed, changed } = plan.changes
  const isSame = added.length + removed.length + changed.length === 0
  const wrong = plan.diagnostics.length
  return (
    <section aria-label="Changes" className={styles.note}>
      <h2>What it says</h2>
      {wrong > 0 && (
        <p className={styles.bad}>
          <Icon name="warn" size={14} /> {plural(wrong, 'thing is wrong', 'things are wrong')}
          {plan.usable ? ', but it can be saved.' : '; it cannot be saved yet.'}
        </p>
      )}
      {wrong === 0 && (
        <p className={styles.good}>
          <Icon name="check" size={14} /> Ken can use it.
        </p>
      )}
      {plan.usable && isSame && (
        <p className={styles.soft}>{isChanged ? 'No source would change.' : 'As it was saved.'}</p>
      )}
      <Entries sign="+" word="added" keys={added} />
      <Entries sign="−" word="removed" keys={removed} />
      <Entries sign="~" word="changed" keys={changed} />
      {plan.untrusted.map(({ entry, reaches, change }) => (
        <div key={entry} className={styles.untrusted}>
          <p>
            <Icon name="lock" size={14} /> <strong>{entry}</strong> must be trusted first. It would{' '}
            {change ?? reaches.join(', ')}.
          </p>
        </div>
      ))}
      {plan.untrusted.length > 0 &&
        (isChanged ? (
          <p className={styles.soft}>Save it, then look at what it reaches.</p>
        ) : (
          <Button size="small" icon="lock" onClick={onTrust}>
            Look and trust
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
