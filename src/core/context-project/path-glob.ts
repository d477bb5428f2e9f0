import { AppError } from '../errors.ts'

type Part = { readonly kind: 'star' | 'deep' | 'any' } | { readonly kind: 'one'; readonly fits: (character: string) => boolean }

const MOST_ALTERNATIVES = 100

/**
 * Whether a path fits one of the patterns: `*` and `?` inside a folder, `**` across folders, `[a-z]`, `{a,b}`. All of a pattern's
 * possibilities are followed side by side, so that none takes longer than its length times that of the path.
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  // `docs/**` takes `docs` as well.
  const globs = patterns.flatMap(alternatives).flatMap((pattern) => [...new Set([pattern, pattern.replace(/(?:\/\*\*)+$/, '')])]).map(parse)
  return (path) => globs.some((glob) => matches(glob, path))
}

/** `{a,b}/c` is `a/c` and `b/c`. */
function alternatives(pattern: string): readonly string[] {
  if (/[@!+*?]\(|^!/.test(pattern)) throw fault(pattern, 'it uses a syntax that Ken does not know')
  let open: readonly string[] = [pattern]
  for (;;) {
    const next = open.flatMap((one) => {
      const [whole, inner] = /\{([^{}]*)\}/.exec(one) ?? []
      return whole === undefined ? [one] : inner!.split(',').map((choice) => one.replace(whole, () => choice))
    })
    if (next.length > MOST_ALTERNATIVES) throw fault(pattern, `it stands for more than ${MOST_ALTERNATIVES} patterns`)
    if (next.every((one, i) => one === open[i])) return next
    open = next
  }
}

function parse(pattern: string): readonly Part[] {
  const parts: Part[] = []
  const TOKEN = /(?<=^|\/)\*\*\/|\/\*\*$|\*+|\?|\[(!|\^)?([^\]]+)\]|\\?([^])/gu
  for (const [token, not, set, literal] of pattern.matchAll(TOKEN)) {
    if (token === '**/') parts.push({ kind: 'deep' })
    else if (token === '/**') parts.push({ kind: 'one', fits: (character) => character === '/' }, { kind: 'any' })
    else if (token.startsWith('*')) parts.push({ kind: token === '**' && pattern === '**' ? 'any' : 'star' })
    else if (token === '?') parts.push({ kind: 'one', fits: (character) => character !== '/' })
    else if (set !== undefined) parts.push({ kind: 'one', fits: (character) => character !== '/' && isIn(set, character) !== (not !== undefined) })
    else parts.push({ kind: 'one', fits: (character) => character === literal })
  }
  return parts
}

function isIn(set: string, character: string): boolean {
  const characters = [...set]
  return characters.some((one, i) => (characters[i + 1] === '-' && characters[i + 2] !== undefined ? one <= character && character <= characters[i + 2]! : one === character))
}

function matches(parts: readonly Part[], path: string): boolean {
  let places = skipping(parts, new Set([0]), true)
  for (const character of path) {
    const next = new Set<number>()
    for (const place of places) {
      const part = parts[place]
      if (part === undefined) continue
      if (part.kind === 'one' ? part.fits(character) : false) next.add(place + 1)
      if (part.kind === 'any' || part.kind === 'deep' || (part.kind === 'star' && character !== '/')) next.add(place)
    }
    if (next.size === 0) return false
    places = skipping(parts, next, character === '/')
  }
  return places.has(parts.length)
}

/** What a star leaves out is also reached; `**` + `/` ends where a folder does. */
function skipping(parts: readonly Part[], places: Set<number>, isFolderStart: boolean): Set<number> {
  for (const place of places) {
    const kind = parts[place]?.kind
    if (kind === 'star' || kind === 'any' || (kind === 'deep' && isFolderStart)) places.add(place + 1)
  }
  return places
}

const fault = (pattern: string, why: string): AppError => new AppError('invalid_input', `The pattern "${pattern}" cannot be used: ${why}.`, { hint: 'Use *, ?, **, [a-z] and {a,b}.' })
