import styles from './top-values.module.css'

interface Value {
  readonly value: string
  readonly count: number
}

const SHOWN = 4

/** The most frequent values, each with a bar relative to the first one. */
export const TopValues = ({ top }: { top: readonly Value[] }) => {
  const most = Math.max(1, ...top.map(({ count }) => count))
  return (
    <ul className={styles.values}>
      {top.slice(0, SHOWN).map(({ value, count }) => (
        <li key={value} className={styles.value}>
          <span className={styles.bar} style={{ inlineSize: `${(count / most) * 100}%` }} aria-hidden="true" />
          <span className={styles.text} title={value}>
            {value === '' ? 'empty text' : value}
          </span>
          <span className={styles.count}>{count.toLocaleString('en-US')}</span>
        </li>
      ))}
      {top.length > SHOWN && <li className={styles.more}>and {top.length - SHOWN} more</li>}
    </ul>
  )
}
