import type { Span } from './index.ts'

/** Secrets that can be told by their own shape, or by the name or address they stand in. */
export function findByPattern(text: string): Span[] {
  return PATTERNS.flatMap(({ pattern, accepts }) => {
    const spans: Span[] = []
    for (const match of text.matchAll(pattern)) {
      const place = match.indices?.groups?.['secret']
      if (place !== undefined && (accepts?.(match.groups!['secret']!) ?? true)) spans.push(place)
    }
    return spans
  })
}

interface SecretPattern {
  /** Global, with indices; the value is the group `secret`. */
  readonly pattern: RegExp
  readonly accepts?: (value: string) => boolean
}

const PATTERNS: readonly SecretPattern[] = [
  { pattern: /\b(?<secret>(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]{16})\b/dg },
  { pattern: /\b(?<secret>[rs]k_(?:live|test)_[A-Za-z0-9]{16,})/dg },
  { pattern: /\b(?<secret>sk-[A-Za-z0-9_-]{32,})/dg, accepts: hasDigit },
  { pattern: /\b(?<secret>AIza[\w-]{35})/dg },
  { pattern: /\b(?<secret>ya29\.[\w-]{20,})/dg },
  { pattern: /\b(?<secret>eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/dg },
  { pattern: /\b(?:Authorization: Basic|[Bb]earer) (?<secret>[\w+/.~-]{20,}=*)/dg, accepts: hasDigit },
  { pattern: /\bAccountKey=(?<secret>[\w+/]{40,}=*)/dg },
  // A token in the place of the user, as git remotes have it.
  { pattern: /:\/\/(?<secret>[^\s:@/]{8,256}):x-oauth-basic@/dg },
  // Greedy up to the last @ before the path: people leave an @ in a password as it is.
  { pattern: /:\/\/[^\s:@/]{0,256}:(?<secret>[^\s/"'`<>]{1,256})@/dg, accepts: isNoPlaceholder },
  { pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?<secret>[A-Za-z0-9+/=\s\\:,.()-]{40,20000}?)(?:-----END|$)/dg },
  {
    pattern:
      /(?:passw(?:or)?d|pwd|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key)["'`]?[ \t]{0,3}(?:=>|[:=])[ \t]{0,3}(?<quote>["'`]?)(?<secret>[^\s"'`,;()<>{}[\]$|]{8,512})(?:\k<quote>|$)/dgim,
    accepts: looksRandom,
  },
]

function hasDigit(value: string): boolean {
  return /\d/.test(value)
}

function isNoPlaceholder(value: string): boolean {
  return value !== '[redacted]' && !/^(?:\$\{.*\}|\{\{.*\}\}|\{.*\}|\$\w+|%\w+%|\*+|x+|\.+)$/i.test(value)
}

/** Letters and digits together, and not the path of a variable: `password: required` and `token = a.b2.token` are left. */
function looksRandom(value: string): boolean {
  return hasDigit(value) && /[A-Za-z]/.test(value) && !/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value)
}
