import { type DateKind, dateKind, labelledDates } from '../../../kernel/domain/adr/adr-date.ts'
import { strip, withoutBlocks } from '../../../kernel/domain/text.ts'
import { hashHeadings, headingLines, plainText } from '../../../kernel/domain/text/markdown.ts'
import { isTableRule } from '../../../kernel/domain/text/table-lines.ts'
import { plainValue, readFrontmatter } from '../decision/frontmatter.ts'

/** An ADR's data outside of its sections: YAML frontmatter, and `Key: value` lines under the title. */
export interface Metadata {
  readonly title: string | undefined
  readonly status: string | undefined
  /** Dates of the lines under the title; preferred to the frontmatter, which web sites use for the page. */
  readonly dates: ReadonlyMap<DateKind, string>
  readonly frontmatterDates: ReadonlyMap<DateKind, string>
  /** ADRs that this one supersedes or is superseded by, one line each. */
  readonly relations: readonly string[]
  /** The lines under the title that name the successor; part of the status. */
  readonly replacedBy: readonly string[]
  readonly rest: Readonly<Record<string, unknown>>
  /** The text without frontmatter and metadata lines. */
  readonly body: string
}

const LINE =
  /^\s*(?:[-*+>]\s+)?(?:\|\s*)?[*_]{0,2}([A-Za-z][A-Za-z -]{2,24}?)[*_]{0,2}\s*(?::|\|)\s*[*_]{0,2}\s*(.*?)\s*\|?\s*$/
const RELATION = /^(?:super[sc]e+de?s|super[sc]e+ded|obsolete[sd]|replace[sd])(?: by)?$/
const PAST = /^(?:super[sc]e+ded|obsoleted|replaced)/
const PEOPLE =
  /^(?:deciders?|decision makers?|authors?|owners?|consulted|informed|approvers?|reviewers?|tags?|categor(?:y|ies))$/

export function readMetadata(text: string): Metadata {
  const { values, body } = frontmatterOf(text)
  const lines = readLines(hashHeadings(body))
  const value = (...names: string[]): string | undefined =>
    names.map((name) => asText(values.get(name))).find((found) => found !== undefined)
  const relations = [...values].flatMap(([key, found]) =>
    RELATION.test(relationKey(key)) ? [`${relationKey(key)}: ${asText(found) ?? ''}`] : [],
  )
  const used = new Set(['title', 'status', 'date'])
  return {
    title: value('title'),
    status: lines.found.get('status') ?? value('status'),
    dates: labelledDates(lines.dates),
    frontmatterDates: labelledDates([...values].map(([key, found]) => `${key}: ${asText(found) ?? ''}`)),
    relations: [...relations, ...lines.relations],
    replacedBy: lines.relations.filter((line) => PAST.test(line)),
    rest: {
      ...Object.fromEntries([...values].filter(([key]) => !used.has(key))),
      ...Object.fromEntries([...lines.found].filter(([key]) => !used.has(key))),
    },
    body: lines.body,
  }
}

/** `supersededBy`, `superseded-by` → `superseded by`. */
const relationKey = (key: string): string =>
  key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_]/g, ' ')
    .toLowerCase()

function asText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map((item) => asText(item) ?? '').join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Parses the frontmatter leniently: if it is not valid YAML, its `key: value` lines still count. */
function frontmatterOf(text: string): { values: ReadonlyMap<string, unknown>; body: string } {
  const end = text.startsWith('---\n') ? text.indexOf('\n---', 3) : -1
  const values = end < 0 ? new Map<string, unknown>() : readValues(text.slice(4, end))
  // Two horizontal rules with prose between them are not frontmatter.
  if (values.size === 0 && strip(text.slice(4, Math.max(4, end))) !== '') return { values, body: text }
  return { values, body: end < 0 ? text : text.slice(end + 4).replace(/^[^\n]*\n?/, '') }
}

function readValues(yaml: string): Map<string, unknown> {
  try {
    return new Map(
      [...readFrontmatter(`---\n${yaml}\n---\n`).values].map(([key, value]) => [String(key), plainValue(value)]),
    )
  } catch {
    // Another program wrote it, so invalid YAML is read line by line.
    const lines = yaml.split('\n').map((line) => /^([A-Za-z][\w -]*):\s*(["']?)(.*)\2$/.exec(line))
    return new Map(lines.flatMap((match) => (match === null ? [] : [[match[1]!, match[3]!] as const])))
  }
}

/** Removes metadata lines from the text before the first section. */
function readLines(body: string): {
  found: ReadonlyMap<string, string>
  relations: string[]
  dates: string[]
  body: string
} {
  const lines = body.split('\n')
  const [first, second] = headingLines(body)
  const title = first !== undefined && lines.slice(0, first.line).every((line) => line.trim() === '') ? first.line : -1
  const end = title < 0 ? (first?.line ?? lines.length) : (second?.line ?? lines.length)
  const found = new Map<string, string>()
  const relations: string[] = []
  const dates: string[] = []
  const kept = lines.slice(0, title + 1)
  for (let i = title + 1; i < end; i++) {
    const line = strip(withoutBlocks(lines[i]!, '<!--', '-->'))
    const isTable = line.includes('|') && isTableRule(lines[i + 1] ?? '')
    if (isTable) dates.push(line, ...lines.slice(i + 1, i + 3))
    const [, key, value] = LINE.exec(line) ?? []
    const name = key?.toLowerCase().replace(/-/g, ' ').trim() ?? ''
    if (labelledDates([line]).size > 0) {
      dates.push(line)
      if (name !== '' && name !== 'date') found.set(name, plainText(value!))
      continue
    }
    const isRelation = RELATION.test(name)
    if (!isRelation && !PEOPLE.test(name) && name !== 'status' && dateKind(name) === undefined) {
      kept.push(lines[i]!)
      continue
    }
    const whole = [value!]
    while (i + 1 < end && /^\s{2,}\S/.test(lines[i + 1]!) && !LINE.test(lines[i + 1]!)) whole.push(strip(lines[++i]!))
    if (isRelation) relations.push(`${name}: ${whole.join(' ')}`)
    // References to superseded ADRs stay in the text; the successor is part of the status.
    if (isRelation && !PAST.test(name)) kept.push(`- ${key}: ${whole.join(' ')}`)
    else if (!isRelation && !found.has(name))
      found.set(name, name === 'status' ? whole.join(' ') : plainText(whole.join(' ')))
  }
  return { found, relations, dates, body: [...kept, ...lines.slice(end)].join('\n') }
}
