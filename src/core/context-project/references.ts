import { AppError } from '../errors.ts'

export interface Filled<T> {
  readonly value: T
  /** What fields and variables for secrets hold, and passwords in addresses: never to be shown. */
  readonly secrets: readonly string[]
}

/** Fills `${NAME}` and `${NAME:-instead}` in every text of a value. Throws `invalid_input` that names the variables that are not set. */
export function fillReferences<T>(value: T, lookup: (name: string) => string | undefined): Filled<T> {
  const missing: string[] = []
  const secrets: string[] = []
  const keep = (secret: string): void => void (secret.length >= SHORTEST_SECRET && secrets.push(secret, decoded(secret)))
  const fill = (text: string): string =>
    text.replaceAll(REFERENCE, (_whole, name: string, instead: string | undefined) => {
      const found = lookup(name) || instead
      if (found === undefined) missing.push(name)
      else if (SECRET_VARIABLE.test(name)) keep(found)
      return found ?? ''
    })
  const filled = mapTexts(value, (text, key) => {
    const full = fill(text)
    if (SECRET_FIELD.test(key)) keep(full)
    const password = key === 'url' ? /:\/\/[^\s:@/]*:([^\s/]+)@/.exec(full)?.[1] : undefined
    if (password !== undefined) keep(password)
    return full
  })
  if (missing.length > 0) throw new AppError('invalid_input', `${[...new Set(missing)].join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set.`, { hint: 'Set it in the environment or in .env beside ken.yaml.' })
  return { value: filled as T, secrets: [...new Set(secrets)] }
}

/** Fields of ken.yaml that hold a secret as it is, where a reference should stand. */
export function plainSecrets(value: unknown, at = ''): readonly string[] {
  if (typeof value === 'string') {
    const key = at.slice(at.lastIndexOf('.') + 1)
    const hasPassword = key === 'url' && /:\/\/[^\s:@/]*:(?!\$\{)[^\s/]+@/.test(value)
    return hasPassword || (SECRET_FIELD.test(key) && !/\$\{\w+/.test(value)) ? [at] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => plainSecrets(inner, at === '' ? key : `${at}.${key}`))
}

const REFERENCE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g
const SECRET_FIELD = /^(?:password|token|api_?key|secret|private_?key|access_?key|passphrase)$/i
const SECRET_VARIABLE = /pass|pwd|token|secret|key|credential|auth/i
// Shorter values would blot out ordinary words.
const SHORTEST_SECRET = 6

function mapTexts(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change, name)]))
}

/** A password in an address may be written with escapes, and stand elsewhere without them. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
