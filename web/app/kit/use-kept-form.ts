import { useState } from 'react'
import { keep, kept, keptFields } from './kept-text.ts'

/** A form that is stored in this browser until it is submitted. */
export function useKeptForm<T extends object>(
  name: string,
  empty: T,
): readonly [form: T, set: (form: T) => void, forget: () => void, isKept: boolean] {
  const key = `ken.draft.${name}`
  const [before] = useState(() => kept(key))
  const [form, setForm] = useState(() => formOf(before, empty))
  const set = (next: T): void => {
    setForm(next)
    keep(key, JSON.stringify(next))
  }
  const forget = (): void => {
    setForm(empty)
    keep(key, undefined)
  }
  return [form, set, forget, before !== undefined]
}

/** Restores a stored form. One stored by an older page may lack a field, or have a value of another type. */
export function formOf<T extends object>(text: string | undefined, empty: T): T {
  const fields = keptFields(text)
  const filled = Object.entries(empty).map(([name, value]: [string, unknown]) => {
    const said = fields[name]
    return [name, typeof said === typeof value && Array.isArray(said) === Array.isArray(value) ? said : value]
  })
  return Object.fromEntries(filled) as T
}
