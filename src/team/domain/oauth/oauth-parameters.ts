import { refusal } from './oauth-refusal.ts'

/** The parameters of a request. A parameter without a value counts as absent (RFC 6749, 3.1). */
export interface OAuthParameters {
  one(name: string): string | undefined
  /** All values of the only parameter that may be repeated. */
  all(name: 'resource'): readonly string[]
}

const LONGEST_VALUE = 4_000
const MOST = 40

/**
 * Refuses repeated parameters: of two programs that handle the request, one may use the first and the other the last.
 * `resource` may be repeated by RFC 8707, and all of its values count.
 */
export function readParameters(pairs: Iterable<readonly [string, string]>): OAuthParameters {
  const held = new Map<string, string[]>()
  let count = 0
  for (const [name, value] of pairs) {
    if (++count > MOST || value.length > LONGEST_VALUE || value.includes('\0'))
      throw refusal('invalid_request', 'The request is too large.')
    held.set(name, [...(held.get(name) ?? []), value])
  }
  for (const [name, values] of held)
    if (values.length > 1 && name !== 'resource')
      throw refusal('invalid_request', 'A parameter is in the request more than once.')
  return {
    one: (name) => held.get(name)?.[0] || undefined,
    all: (name) => (held.get(name) ?? []).filter((value) => value !== ''),
  }
}
