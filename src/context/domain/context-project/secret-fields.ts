/** `${NAME}` and `${NAME:-instead}`. */
export const REFERENCE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** Whether a text refers to the environment, so that its value is known only once resolved. */
export const hasReference = (value: unknown): boolean => typeof value === 'string' && value.search(REFERENCE) >= 0

const SECRET_FIELD = /(?:^|_)(?:password|passphrase|token|secret|api_?key|private_?key|access_?key|credentials_json)$/i
const SECRET_PARAMETER = /[?&;][\w.-]*(?:password|passwd|pwd|token|secret|api_?key|access_?key)=([^&;#\s]+)/gi
// A user name of this length in a web address is a token: GitHub and GitLab accept them there.
const SHORTEST_TOKEN = 20

/** Whether a field is secret by its name, or declared secret by its source. */
export const isSecretField = (field: string, declared: readonly string[] = []): boolean =>
  SECRET_FIELD.test(field) || declared.includes(field)

/** The secrets in the text of a field: all of it, or the password or token in an address. */
export function secretsIn(field: string, text: string, declared: readonly string[] = []): readonly string[] {
  if (isSecretField(field, declared)) return text === '' ? [] : [text]
  const password = /:\/\/[^\s:@/]*:([^\s/]+)@/.exec(text)?.[1]
  const user = /^https?:\/\/([^\s:@/]+)@/i.exec(text)?.[1]
  const parameters = text.includes('://') ? [...text.matchAll(SECRET_PARAMETER)].map(([, value]) => value!) : []
  return [
    ...(password === undefined ? [] : [password]),
    ...(user !== undefined && user.length >= SHORTEST_TOKEN ? [user] : []),
    ...parameters,
  ]
}

/** The fields of a value that contain a plain secret instead of a reference. The default of a variable counts too. */
export function plainSecrets(value: unknown, declared: readonly string[] = [], at = ''): readonly string[] {
  const field = at.slice(at.lastIndexOf('.') + 1)
  if (typeof value === 'string') {
    const plain = value.replaceAll(REFERENCE, (_whole, _name, instead: string | undefined) => instead || REFERRED)
    return secretsIn(field, plain, declared).some((secret) => !secret.includes(REFERRED)) ? [at] : []
  }
  if (typeof value === 'number') return isSecretField(field, declared) ? [at] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    plainSecrets(inner, declared, at === '' ? key : `${at}.${key}`),
  )
}

/** The variable for a field of an entry: `SHOP_URL`. */
export function variableFor(name: string, field: string): string {
  const word = `${name}_${field}`.replaceAll(/\W/g, '_').toUpperCase()
  return /^\d/.test(word) ? `_${word}` : word
}

const REFERRED = '\u0000'

/** A text without its secrets, safe to show. */
export const withoutSecrets = (field: string, text: string): string =>
  secretsIn(field, text).reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text)

/** A word that may be a mistyped address, without the part before its `@`. */
export const withoutLogin = (word: string): string => withoutSecrets('', word.replace(/(?<=[:/])[^\s/]*@/, '…@'))
