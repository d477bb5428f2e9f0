import { useState, type FormEvent } from 'react'
import type { Calls } from '../../../api/call.ts'
import { useProject } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { keepTyped, keptFields, keptTyped } from '../../../kit/kept-text.ts'
import { Select } from '../../../kit/select.tsx'
import { wordsOf, type KindField, type SourceKind } from './source-words.ts'
import styles from './add-source.module.css'

interface Props {
  readonly kind: SourceKind
  readonly isBusy: boolean
  readonly onSend: (what: Calls['source_add']['input']['what'] & {}) => void
}

/** The fields of one kind, from its definition: required fields first, the others folded. */
export const SourceForm = ({ kind, isBusy, onSend }: Props) => {
  const [values, setValue] = useFormDraft(kind)
  const [missing, setMissing] = useState<readonly string[]>([])
  const main = kind.fields.filter(({ name, required }) => required || name === 'name' || OFTEN.has(name))
  const others = kind.fields.filter((field) => !main.includes(field) && field.type !== 'other')
  const send = (event: FormEvent): void => {
    event.preventDefault()
    const lacking = kind.fields.filter(({ name, required }) => required && (values[name] ?? '') === '')
    setMissing(lacking.map(({ name }) => name))
    if (lacking.length === 0) onSend([...wordsOf(kind, values)])
  }
  const row = (field: KindField) => (
    <OneField
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      onChange={(text) => setValue(field.name, text)}
      isMissing={missing.includes(field.name)}
    />
  )
  return (
    <form className={styles.form} onSubmit={send} noValidate>
      {main.map(row)}
      {others.length > 0 && (
        <details className={styles.more}>
          <summary>{others.length} more fields</summary>
          <div className={styles.form}>{others.map(row)}</div>
        </details>
      )}
      <p className={styles.hint}>
        Passwords are stored in .env, readable only by you; ken.yaml gets the variable’s name. Sources you add are
        trusted.
      </p>
      <Button type="submit" look="primary" busy={isBusy}>
        Add {kind.label}
      </Button>
    </form>
  )
}

const OFTEN: ReadonlySet<string> = new Set(['path', 'url', 'host', 'port', 'database', 'user', 'password', 'account'])

interface FieldProps {
  readonly field: KindField
  readonly value: string
  readonly onChange: (text: string) => void
  readonly isMissing: boolean
}

const OneField = ({ field, value, onChange, isMissing }: FieldProps) => {
  const label = field.required ? `${field.name} (required)` : field.name
  const choices = field.choices ?? (field.type === 'boolean' ? ['true', 'false'] : undefined)
  if (choices !== undefined)
    return (
      <Select
        label={label}
        value={value}
        options={[{ value: '', label: 'Default' }, ...choices.map((choice) => ({ value: choice, label: choice }))]}
        onChange={onChange}
      />
    )
  return (
    <TextField
      label={label}
      value={value}
      type={field.secret ? 'password' : 'text'}
      inputMode={field.type === 'number' ? 'numeric' : undefined}
      spellCheck={false}
      hint={field.type === 'list' ? `${field.about} Separate with commas.`.trim() : field.about || undefined}
      error={isMissing ? `${field.name} is required.` : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type Values = Readonly<Record<string, string>>

/** Values typed into a kind's form, kept after the page is left. Secrets are not stored. */
function useFormDraft(kind: SourceKind): readonly [Values, (field: string, text: string) => void] {
  const key = `ken.draft.source.${useProject()}.${kind.word}`
  const [values, setValues] = useState<Values>(() => read(keptTyped(key)))
  const set = (field: string, text: string): void => {
    const next = { ...values, [field]: text }
    setValues(next)
    const secret = new Set(kind.fields.filter((one) => one.secret || one.name === 'url').map(({ name }) => name))
    keepTyped(key, JSON.stringify(Object.fromEntries(Object.entries(next).filter(([name]) => !secret.has(name)))))
  }
  return [values, set]
}

const read = (text: string | undefined): Values =>
  Object.fromEntries(
    Object.entries(keptFields(text)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
