import styles from './progress-bar.module.css'

interface Props {
  /** The current step, shown beside the bar. */
  readonly label: string
  /** From 0 to `of`; if it is undefined, the duration is unknown. */
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
