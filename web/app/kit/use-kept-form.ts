import { useLayoutEffect, useRef, useState } from 'react'
import { keepTyped, keptFields, keptTyped } from './kept-text.ts'

/**
 * A form that is stored in this browser until it is submitted. `forget` empties it; with the form that was sent, fields
 * changed since keep their values.
 */
export function useKeptForm<T extends object>(
  name: string,
  empty: T,
): readonly [form: T, set: (form: T) => void, forget: (sent?: T) => void, isKept: boolean] {
  const key = `ken.draft.${name}`
  const [before] = useState(() => keptTyped(key))
  const [form, setForm] = useState(() => formOf(before, empty))
  const set = (next: T): void => {
    setForm(next)
    keepTyped(key, JSON.stringify(next))
  }
  const newest = useRef(form)
  useLayoutEffect(() => {
    newest.current = form
  })
  const forget = (sent = newest.current): void => {
    const left = changedSince(sent, newest.current, empty)
    setForm(left)
    keepTyped(key, JSON.stringify(left) === JSON.stringify(empty) ? undefined : JSON.stringify(left))
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

/** The fields of `now` that differ from `sent`; the others are those of the empty form. */
export const changedSince = <T extends object>(sent: T, now: T, empty: T): T =>
  Object.fromEntries(
    Object.entries(now).map(([name, value]: [string, unknown]) => {
      const before: unknown = sent[name as keyof T]
      return [name, JSON.stringify(value) === JSON.stringify(before) ? empty[name as keyof T] : value]
    }),
  ) as T
