import { Lexer } from 'yaml'

export interface YamlBounds {
  readonly characters: number
  readonly tokens: number
  readonly depth: number
  /** Anchors and aliases together. */
  readonly aliases: number
}

/** Bounds for a project's configuration files, which people write by hand. */
export const CONFIG_BOUNDS: YamlBounds = { characters: 512 * 1024, tokens: 40_000, depth: 32, aliases: 100 }

const SCALAR = '\x1f'

/**
 * Why a text is too expensive for the YAML parser; undefined if it is not. The parser takes seconds for a few kilobytes
 * of brackets, and each of its errors costs as much as a page of text; the lexer alone is linear.
 */
export function yamlExcess(text: string, bounds: YamlBounds): string | undefined {
  if (text.length > bounds.characters) return `it is longer than ${bounds.characters.toLocaleString('en')} characters`
  const seen = { tokens: 0, aliases: 0, depth: 0, marks: 0 }
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    if (isScalar) isScalar = false
    else if (token === SCALAR) isScalar = true
    else count(token, seen)
    if (++seen.tokens > bounds.tokens) return `it has more than ${bounds.tokens.toLocaleString('en')} parts`
    if (seen.aliases > bounds.aliases)
      return bounds.aliases === 0
        ? 'anchors and aliases are not allowed'
        : `it has more than ${bounds.aliases} anchors and aliases`
    if (seen.depth > bounds.depth || seen.marks > bounds.depth) return `it is nested deeper than ${bounds.depth}`
    if (seen.depth < 0) return 'a bracket closes that was not opened'
  }
  return undefined
}

/** Counts brackets as `depth`, and tokens that nest on one line without brackets, such as `- - -`, as `marks`. */
function count(token: string, seen: { aliases: number; depth: number; marks: number }): void {
  if (token === '[' || token === '{') seen.depth++
  else if (token === ']' || token === '}') seen.depth--
  else if (token === '-' || token === '?' || (token === ':' && seen.depth === 0)) seen.marks++
  else if (token === '\n' || token === '\r\n') seen.marks = 0
  else if (token.startsWith('&') || token.startsWith('*')) seen.aliases++
}
