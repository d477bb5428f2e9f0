import type { SQLInputValue } from 'node:sqlite'

/** A text that may be missing, as a field that is there or not. */
export const given = <Key extends string>(
  key: Key,
  value: SQLInputValue | undefined,
): Partial<Readonly<Record<Key, string>>> =>
  (typeof value === 'string' ? { [key]: value } : {}) as Partial<Readonly<Record<Key, string>>>

/** The same of JSON. */
export const givenJson = <Key extends string, Value>(
  key: Key,
  value: SQLInputValue | undefined,
): Partial<Readonly<Record<Key, Value>>> =>
  (typeof value === 'string' ? { [key]: JSON.parse(value) as Value } : {}) as Partial<Readonly<Record<Key, Value>>>

export const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))
