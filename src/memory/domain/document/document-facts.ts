import { readStatus, relationsIn } from '../../../kernel/domain/adr/adr-status.ts'
import { ellipsis } from '../../../kernel/domain/text.ts'
import type { Superseded } from '../../../retrieval/domain/ranking/indexed-document.ts'

/** Facts stated in a Markdown document's frontmatter and first heading. */
export interface StatedFacts {
  readonly title: string | undefined
  readonly tags: readonly string[]
  /** Milliseconds; undefined if no date is stated. */
  readonly modified: number | undefined
  readonly superseded: Superseded | undefined
}

const LONGEST_TITLE = 200
// No folded text that is used is longer.
const LONGEST_FOLDED = 1_000

/**
 * Reads the stated facts. With `isProse`, the text may state a status, under a heading "Status" or in a line of that
 * name.
 */
export function stateFacts(text: string, { isProse }: { isProse: boolean }): StatedFacts {
  const { fields, body } = splitFrontmatter(text)
  const title = one(fields, 'title') ?? firstHeading(text, body)
  return {
    title: title === undefined ? undefined : ellipsis(title, LONGEST_TITLE),
    tags: fields.get('tags') ?? [],
    modified: dateOf(fields),
    superseded: statedIn(fields) ?? (isProse ? standingIn(text, body) : undefined),
  }
}

const NOTHING = /^(?:null|none|~|false|)$/i

function statedIn(fields: Fields): Superseded | undefined {
  const by = ['superseded_by', 'superseded-by', 'supersededby'].map((key) => one(fields, key)).find((found) => found)
  if (by !== undefined && !NOTHING.test(by)) return { as: 'superseded', by }
  const stale = /^(?:stale|outdated|obsolete)\b/i.exec(one(fields, 'freshness') ?? '')?.[0]
  return (
    standing(one(fields, 'status') ?? '') ??
    (stale === undefined ? undefined : { as: stale.toLowerCase(), by: undefined })
  )
}

// A status section is a few lines; this bounds the cost of an endless page.
const LONGEST_STATUS = 600
const HEADED = /^ {0,3}#{1,4}[ \t]+(?:\d+[.)]?[ \t]+)?status[ \t:]*(?:#+[ \t]*)?\r?$/im
const LINE = /^[ \t]*(?:[-*+>][ \t]+)?(?:\|[ \t]*)?[*_]{0,2}status[*_]{0,2}[ \t]*[:|][*_]{0,2}[ \t]*(\S.*)$/im
/** A line of facts is at the top; further down it is an example. */
const TOP = 2_000

function standingIn(text: string, body: number): Superseded | undefined {
  const line = LINE.exec(text.slice(body, body + TOP))?.[1]
  if (line !== undefined) return standing(line)
  const heading = HEADED.exec(text)
  if (heading === null) return undefined
  const below = text.slice(heading.index + heading[0].length).slice(0, LONGEST_STATUS)
  return standing(below.split(/^ {0,3}#/m, 1)[0]!)
}

const RETIRED = /^\W*(stale|outdated|obsolete|withdrawn)\b/i

function standing(said: string): Superseded | undefined {
  if (said.trim() === '') return undefined
  const { kind, text } = readStatus(said)
  const [by] = relationsIn(said.split('\n')).supersededBy
  if (kind === 'superseded' || (kind === 'deprecated' && by !== undefined))
    return { as: 'superseded', by: by && (by.target ?? by.text) }
  if (kind === 'rejected' || kind === 'deprecated' || RETIRED.test(text))
    return { as: RETIRED.exec(text)?.[1]!.toLowerCase() ?? kind, by: undefined }
  return undefined
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
 * Reads `key: value`, `key: [a, b]`, lists of `- a` lines and texts folded below a `|` or `>`, which is all that is
 * needed here. A YAML parser would take longer than all other processing of a document.
 */
function splitFrontmatter(text: string): { fields: Fields; body: number } {
  const fields = new Map<string, string[]>()
  if (!/^---\r?\n/.test(text)) return { fields, body: 0 }
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text)
  if (end === null) return { fields, body: 0 }
  let list: string[] | undefined
  let isBlock = false
  for (const line of text.slice(4, end.index).split(/\r?\n/)) {
    if (isBlock && list && /^\s+\S/.test(line)) {
      if ((list[0]?.length ?? 0) < LONGEST_FOLDED) list[0] = `${list[0] ?? ''} ${line.trim()}`.trim()
      continue
    }
    const item = /^\s*-\s+(.*)$/.exec(line)
    if (item && list) {
      const value = unquote(item[1]!)
      if (value !== '') list.push(value)
      continue
    }
    const [, key, value] = /^([A-Za-z][\w-]*):(?:\s+(.*))?\s*$/.exec(line) ?? []
    if (key === undefined) continue
    isBlock = /^[|>][-+\d]*$/.test(value ?? '')
    list = isBlock ? [] : valuesOf(value ?? '')
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
