import { isPlainObject } from '../../../kernel/domain/input/read-value.ts'

/** Files and responses of other programs: every field is validated before use. */
export type Loose = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): Loose => (isPlainObject(value) ? (value as Loose) : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const objectsOf = (value: unknown): readonly Loose[] =>
  listOf(value).filter((one): one is Loose => isPlainObject(one))

/** Non-empty strings, and numbers and booleans as text; otherwise undefined. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A list of texts, or a single one. */
export const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== undefined)
