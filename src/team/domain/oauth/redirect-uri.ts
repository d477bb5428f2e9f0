/** Redirect target of a client: on the person's machine, at a web address, or an installed app. */
export type RedirectKind = 'loopback' | 'web' | 'app'

const LONGEST = 500
const PATH = String.raw`(?:/[\w.~!$&'()+,;=:@%-]*)*`
const QUERY = String.raw`(?:\?[\w.~!$&'()+,;=:@%/-]*)?`
const PORT = String.raw`(?::(?<port>[1-9]\d{0,4}))?`
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** At least two labels, the last one starting with a letter: no numeric address, no local network name. */
export const PUBLIC_HOST = String.raw`(?:${LABEL}\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`

const LOOPBACK = new RegExp(String.raw`^http://(?<host>127\.0\.0\.1|localhost|\[::1\])${PORT}(?<rest>${PATH}${QUERY})$`)
const WEB = new RegExp(String.raw`^https://(?<host>${PUBLIC_HOST})${PORT}(?<rest>${PATH}${QUERY})$`)
// A scheme that is a reversed domain, as RFC 8252 requires; a single word could belong to any program.
const APP = new RegExp(
  String.raw`^(?<scheme>[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+):/{1,2}[\w.~!$&'()+,;=%-]+${PATH}${QUERY}$`,
)
// Names that lead to the machine itself or into its network, regardless of the machine that resolves them.
const INWARD = /(?:^|\.)(?:localhost|local|internal|lan|localdomain|home\.arpa)$/

/**
 * The kind of a redirect URI. Accepts only URIs that every program parses alike: lower case, no name or password, no
 * fragment, no dot segments, no wildcard, nothing that a browser would fix. Undefined otherwise.
 */
export function redirectKind(uri: string): RedirectKind | undefined {
  if (uri.length > LONGEST || hasDotSegment(uri) || !hasValidEscapes(uri)) return undefined
  const found = LOOPBACK.exec(uri) ?? WEB.exec(uri)
  if (found !== null) {
    if (Number(found.groups!['port'] ?? 1) > 65_535) return undefined
    if (uri.startsWith('http://')) return 'loopback'
    return isInwardName(found.groups!['host']!) ? undefined : 'web'
  }
  return APP.test(uri) ? 'app' : undefined
}

/**
 * Whether a redirect URI is registered, by exact match. A native client listens on any free port, so the port may
 * differ on the loopback address, and only there (RFC 8252, 7.3).
 */
export function isRegisteredRedirect(
  asked: string,
  client: { readonly redirectUris: readonly string[]; readonly isNative: boolean },
): boolean {
  if (redirectKind(asked) === undefined) return false
  if (client.redirectUris.includes(asked)) return true
  if (!client.isNative) return false
  const portless = withoutPort(asked)
  return portless !== undefined && client.redirectUris.some((uri) => withoutPort(uri) === portless)
}

/** The redirect target for display: its host, or the scheme of an app. */
export const redirectHost = (uri: string): string =>
  (LOOPBACK.exec(uri) ?? WEB.exec(uri))?.groups!['host'] ?? uri.slice(0, uri.indexOf(':'))

export const isInwardName = (host: string): boolean => INWARD.test(host)

/** Includes escaped dot segments, which some programs decode first. */
export const hasDotSegment = (uri: string): boolean => /[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)|%2f|%5c/i.test(uri)

const hasValidEscapes = (uri: string): boolean => !/%(?![0-9a-f]{2})|%[01]|%7f/i.test(uri)

function withoutPort(uri: string): string | undefined {
  const found = LOOPBACK.exec(uri)
  return found === null ? undefined : `${found.groups!['host']}${found.groups!['rest']}`
}
