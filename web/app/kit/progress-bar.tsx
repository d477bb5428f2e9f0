import styles from './progress-bar.module.css'

interface Props {
  /** What is going on, said beside the bar. */
  readonly label: string
  /** From 0 to `of`; without it nobody knows how long it takes. */
  readonly value?: number | undefined
  readonly of?: number
}

export const ProgressBar = ({ label, value, of = 1 }: Props) => (
  <label className={styles.whole}>
    <span className={styles.label}>{label}</span>
    {/* Without a value the browser draws one that is under way. */}
    <progress className={styles.bar} max={of} {...(value !== undefined && { value: Math.min(value, of) })} />
  </label>
)
