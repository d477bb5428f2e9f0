import { ellipsis } from '../text.ts'

/** What a Markdown document says about itself in its frontmatter and first heading. */
export interface StatedFacts {
  readonly title: string | undefined
  readonly tags: readonly string[]
  /** Milliseconds; undefined when it names no date. */
  readonly modified: number | undefined
  /** What superseded it, or the word that retired it. */
  readonly supersededBy: string | undefined
}

const LONGEST_TITLE = 200
const RETIRED = /^(?:superseded|rejected|deprecated|obsolete|stale|replaced|withdrawn)\b/i

export function stateFacts(text: string): StatedFacts {
  const { fields, body } = splitFrontmatter(text)
  const title = one(fields, 'title') ?? firstHeading(text, body)
  return {
    title: title === undefined ? undefined : ellipsis(title, LONGEST_TITLE),
    tags: fields.get('tags') ?? [],
    modified: dateOf(fields),
    supersededBy: standing(fields),
  }
}

function standing(fields: Fields): string | undefined {
  const by = one(fields, 'superseded_by') ?? one(fields, 'superseded-by')
  if (by !== undefined && !/^(?:null|none|~|false)$/i.test(by)) return by
  const word = [one(fields, 'status'), one(fields, 'freshness')].find(
    (value) => value !== undefined && RETIRED.test(value),
  )
  return word?.toLowerCase()
}

function dateOf(fields: Fields): number | undefined {
  for (const key of ['ended', 'updated', 'modified', 'date', 'created']) {
    const time = Date.parse(one(fields, key) ?? '')
    if (Number.isFinite(time)) return time
  }
  return undefined
}

function firstHeading(text: string, from: number): string | undefined {
  const found = /^ {0,3}#{1,6}[ \t]+(\S.*?)[ \t]*#*[ \t]*\r?$/m.exec(text.slice(from, from + 4000))
  return found?.[1]
}

type Fields = ReadonlyMap<string, readonly string[]>

const one = (fields: Fields, key: string): string | undefined => fields.get(key)?.[0]

/**
 * Reads `key: value`, `key: [a, b]` and lists of `- a` lines, which is all that is asked of it here.
 * A YAML parser would take longer than everything else that is done to a document.
 */
function splitFrontmatter(text: string): { fields: Fields; body: number } {
  const fields = new Map<string, string[]>()
  if (!/^---\r?\n/.test(text)) return { fields, body: 0 }
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text)
  if (end === null) return { fields, body: 0 }
  let list: string[] | undefined
  for (const line of text.slice(4, end.index).split(/\r?\n/)) {
    const item = /^\s*-\s+(.*)$/.exec(line)
    if (item && list) {
      const value = unquote(item[1]!)
      if (value !== '') list.push(value)
      continue
    }
    const [, key, value] = /^([A-Za-z][\w-]*):(?:\s+(.*))?\s*$/.exec(line) ?? []
    if (key === undefined) continue
    list = valuesOf(value ?? '')
    fields.set(key.toLowerCase(), list)
  }
  return { fields, body: end.index + end[0].length }
}

function valuesOf(value: string): string[] {
  const inner = /^\[(.*)\]$/.exec(value.trim())?.[1]
  const parts = inner === undefined ? [value] : inner.split(',')
  return parts.map(unquote).filter((part) => part !== '')
}

function unquote(raw: string): string {
  const text = raw.trim()
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1] ?? /^'(.*)'$/.exec(text)?.[1]
  return quoted === undefined ? text : quoted.replace(/\\(["\\])/g, '$1').replaceAll("''", "'")
}
