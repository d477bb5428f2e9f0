import { hasDotSegment, isInwardName, PUBLIC_HOST } from './redirect-uri.ts'

const LONGEST = 300
const ADDRESS = new RegExp(String.raw`^https://(?<host>${PUBLIC_HOST})(?::[1-9]\d{0,4})?/[\w.~!$&'()+,;=:@%/-]+$`)

/** Whether a client id has the form of a document URL; no other id is ever fetched. */
export const looksLikeUrl = (id: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(id)

/**
 * Whether the metadata document of a client may be fetched: over https, from a public host name in lower case, with a
 * path and without anything that two programs could parse differently (name and password, query, fragment, dot
 * segments).
 */
export function isClientIdUrl(id: string): boolean {
  const found = id.length <= LONGEST ? ADDRESS.exec(id) : null
  return found !== null && !hasDotSegment(id) && !isInwardName(found.groups!['host']!)
}

const LEAST = 5 * 60
const MOST = 24 * 60 * 60

/** Seconds that a document is cached, from its server's headers; within bounds, so that a change takes effect. */
export function documentLives(cacheControl: string | undefined): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl ?? '')) return LEAST
  const age = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl ?? '')
  return Math.min(MOST, Math.max(LEAST, age === null ? 60 * 60 : Number(age[1])))
}
