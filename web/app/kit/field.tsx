import { useId, useLayoutEffect, type ComponentPropsWithRef, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { focusFirst } from './first-focus.ts'
import { WithCode } from './with-code.tsx'
import styles from './field.module.css'

interface Around {
  readonly label: string
  /** Only screen readers get the label; it is visible in another form. */
  readonly hideLabel?: boolean
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** Focuses the field when it appears, unless a person is typing in another one. */
  readonly autoFocus?: boolean | undefined
}

/** A one-line text input with its label, hint and error. */
export const TextField = ({
  label,
  hideLabel,
  hint,
  error,
  autoFocus,
  className,
  ...rest
}: Around & ComponentPropsWithRef<'input'>) => (
  <Field {...{ label, hint, error, autoFocus }} {...(hideLabel && { hideLabel })}>
    {(told) => <input autoComplete="off" {...rest} {...told} className={classNames(styles.input, className)} />}
  </Field>
)

/** A multi-line text input that grows with its text. */
export const TextArea = ({
  label,
  hideLabel,
  hint,
  error,
  autoFocus,
  className,
  ...rest
}: Around & ComponentPropsWithRef<'textarea'>) => (
  <Field {...{ label, hint, error, autoFocus }} {...(hideLabel && { hideLabel })}>
    {(told) => <textarea rows={3} {...rest} {...told} className={classNames(styles.input, styles.area, className)} />}
  </Field>
)

interface Told {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** Label, hint and error around any input, which gets the matching attributes. */
const Field = ({
  label,
  hideLabel,
  hint,
  error,
  autoFocus,
  children,
}: Around & { children: (told: Told) => ReactNode }) => {
  const id = useId()
  useLayoutEffect(() => {
    if (autoFocus === true) focusFirst(document.getElementById(id))
  }, [id])
  const below = error ?? hint
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': below === undefined ? undefined : `${id}-below`,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {below !== undefined && (
        <p id={`${id}-below`} className={error === undefined ? styles.hint : styles.error} role={error && 'alert'}>
          <WithCode>{below}</WithCode>
        </p>
      )}
    </div>
  )
}
