import { useId } from 'react'
import styles from './choice.module.css'

interface Props<V extends string> {
  readonly label: string
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly onChange: (value: V) => void
}

/** One of two or three options, all visible. */
export const Choice = <V extends string>({ label, value, options, onChange }: Props<V>) => {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((one) => (
        <label key={one.value} className={styles.option}>
          <input type="radio" name={name} checked={one.value === value} onChange={() => onChange(one.value)} />
          {one.label}
        </label>
      ))}
    </fieldset>
  )
}
