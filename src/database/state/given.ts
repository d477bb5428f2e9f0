import { AppError } from '../../kernel/domain/errors.ts'

/** Row as a database returns it: booleans as such or as 1 and 0, lists and objects as JSON. */
export type Row = Readonly<Record<string, unknown>>

/** Optional text as an optional field. */
export const given = <Key extends string>(key: Key, value: unknown): Partial<Readonly<Record<Key, string>>> =>
  (typeof value === 'string' ? { [key]: value } : {}) as Partial<Readonly<Record<Key, string>>>

/** Like `given`, for JSON. */
export const givenJson = <Key extends string, Value>(key: Key, value: unknown): Partial<Readonly<Record<Key, Value>>> =>
  (typeof value === 'string' ? { [key]: parsed<Value>(value) } : {}) as Partial<Readonly<Record<Key, Value>>>

export const isSet = (value: unknown): boolean => value === true || value === 1

export const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/** Parses JSON that Ken wrote itself, so anything else is damage. */
export function parsed<T>(value: unknown): T {
  try {
    return JSON.parse(String(value)) as T
  } catch (cause) {
    throw new AppError('damaged', 'The database is damaged: part of its chats can’t be read.', {
      hint: 'Restore it from a backup, or export what is still readable.',
      cause,
    })
  }
}
