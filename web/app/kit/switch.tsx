import { Switch as Base } from '@base-ui/react/switch'
import styles from './switch.module.css'

interface Props {
  readonly label: string
  readonly hint?: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly disabled?: boolean
}

/** Takes effect at once; for a form that is submitted later, use a checkbox. */
export const Switch = ({ label, hint, on, onChange, disabled = false }: Props) => (
  <label className={styles.whole}>
    <Base.Root className={styles.switch} checked={on} onCheckedChange={onChange} disabled={disabled}>
      <Base.Thumb className={styles.thumb} />
    </Base.Root>
    <span>
      {label}
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
    </span>
  </label>
)
