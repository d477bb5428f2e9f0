import { AppError } from '../../../kernel/domain/errors.ts'
import { REFERENCE, secretsIn } from './secret-fields.ts'

export interface Filled<T> {
  readonly value: T
  /** Values of secret fields and variables, and passwords in addresses: never to be shown. */
  readonly secrets: readonly string[]
}

/**
 * Resolves `${NAME}` and `${NAME:-instead}` in every text of a value. Throws `invalid_input` that names the unset
 * variables.
 */
export function fillReferences<T>(value: T, lookup: Lookup): Filled<T> {
  const { missing, ...filled } = fill(value, lookup)
  if (missing.length > 0)
    throw new AppError('invalid_input', `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set.`, {
      hint: 'Set it in the environment or in .env beside ken.yaml.',
    })
  return filled
}

/** Every secret in a value that can be resolved now; unset references are skipped. */
export const knownSecrets = (value: unknown, lookup: Lookup, declared: readonly string[] = []): readonly string[] =>
  fill(value, lookup, declared).secrets

/** The variables that a value refers to, sorted. */
export function referredNames(value: unknown): readonly string[] {
  const names = new Set<string>()
  mapTexts(value, (text) => {
    for (const [, name] of text.matchAll(REFERENCE)) names.add(name!)
    return text
  })
  return [...names].toSorted()
}

type Lookup = (name: string) => string | undefined

function fill<T>(
  value: T,
  lookup: Lookup,
  declared: readonly string[] = [],
): Filled<T> & { readonly missing: readonly string[] } {
  const missing = new Set<string>()
  const secrets = new Set<string>()
  const keep = (secret: string): void => {
    if (secret.length >= SHORTEST_SECRET) secrets.add(secret).add(decoded(secret))
  }
  const filled = mapTexts(value, (text, key) => {
    const full = text.replaceAll(REFERENCE, (_whole, name: string, instead: string | undefined) => {
      const found = lookup(name) || instead
      if (found === undefined) missing.add(name)
      else if (SECRET_VARIABLE.test(name)) keep(found)
      return found ?? ''
    })
    for (const secret of secretsIn(key, full, declared)) keep(secret)
    return full
  })
  return { value: filled as T, secrets: [...secrets], missing: [...missing] }
}

export const SECRET_VARIABLE = /pass|pwd|token|secret|key|credential|auth/i
// Redacting shorter values would redact ordinary words.
const SHORTEST_SECRET = 6

function mapTexts(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change, name)]))
}

/** A password in an address may be escaped, and occur elsewhere unescaped. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
