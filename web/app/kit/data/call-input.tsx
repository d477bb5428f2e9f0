import { CodeText } from './code-text.tsx'
import css from './call-input.module.css'

/** The input of a tool call, field by field: a text as it is written, any other value as JSON. */
export const CallInput = ({ input }: { input: unknown }) => {
  const fields = Object.entries(input !== null && typeof input === 'object' ? input : { input })
  if (fields.length === 0) return <p className={css.none}>No input.</p>
  return (
    <div className={css.whole} tabIndex={0} role="group" aria-label="Input">
      <dl className={css.fields}>
        {fields.map(([name, value]) => (
          <div key={name} className={css.field}>
            <dt className={css.name}>{name}</dt>
            <dd className={css.value}>
              {name === 'sql' && typeof value === 'string' ? (
                <CodeText text={value} language="sql" />
              ) : typeof value === 'string' ? (
                value
              ) : (
                <code>{JSON.stringify(value)}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
