import type { Calls } from '../../../api/call.ts'
import { Icon } from '../../../kit/icon.tsx'
import styles from './forget.module.css'

/** Proof of forgetting: the terms searched for, the number of files searched, and the files with traces. */
export const Proof = ({ answer: { proof } }: { answer: Calls['forget']['output'] }) => {
  if (proof === undefined) return null
  const { looked_for: lookedFor, searched, left } = proof
  if (left.length > 0)
    return (
      <div role="status">
        <p className={styles.left}>Removed, but these files still contain traces:</p>
        <ul className={styles.matches}>
          {left.map((path) => (
            <li key={path} className={styles.path}>
              {path}
            </li>
          ))}
        </ul>
      </div>
    )
  return (
    <div role="status">
      <p className={styles.gone}>
        <Icon name="check" />
        {lookedFor.length === 0
          ? 'Forgotten, including in later harvests. All of its text also appears elsewhere, so there was nothing to verify.'
          : `Forgotten, including in later harvests. Searched ${searched.toLocaleString('en')} files for ${lookedFor.length} ${lookedFor.length === 1 ? 'trace' : 'traces'}: none left.`}
      </p>
      {lookedFor.length > 0 && (
        <details className={styles.details}>
          <summary>Searched for</summary>
          <ul>
            {lookedFor.map((text) => (
              <li key={text} className={styles.trace}>
                {text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
