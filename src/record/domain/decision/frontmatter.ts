import { type Document, isMap, isScalar, parseDocument, type Tags } from 'yaml'
import { yamlExcess } from '../../../kernel/domain/yaml-bounds.ts'
import { FRONTMATTER_KEYS } from './decision.ts'
import { DecisionFault } from './fault.ts'

const PLAIN_LINE =
  /^([a-z_]+): ([A-Za-z][A-Za-z0-9_]*|[0-9]{4}-[0-9]{2}-[0-9]{2}|'[0-9]+'|[1-9][0-9]{0,8}|\[\]|(?=[0-9a-f]*[abcdf])[0-9a-f]{40})$/
const WORDS_OF_YAML = /^(?:true|false|yes|no|on|off|null|y|n|nan|inf)$/i

// Fits two hundred files with names of maximum length; beyond that, a parser takes seconds.
const BOUNDS = { characters: 128 * 1024, tokens: 2_000, depth: 8, aliases: 0 }

const OPTIONS = {
  version: '1.1',
  uniqueKeys: false,
  logLevel: 'silent',
  prettyErrors: false,
  customTags: (tags: Tags) => tags.filter((tag) => typeof tag === 'string' || !tag.tag.endsWith(':timestamp')),
} as const

export interface Frontmatter {
  readonly values: ReadonlyMap<unknown, unknown>
  readonly body: string
}

/**
 * Splits a file at its fences and parses the mapping between them. Scalars have YAML 1.1 types, except that dates stay
 * strings.
 */
export function readFrontmatter(text: string): Frontmatter {
  if (!text.startsWith('---\n'))
    throw new DecisionFault('frontmatter', 'the file does not start with a line of exactly ---')
  const end = text.indexOf('\n---\n', 3)
  if (end < 0) throw new DecisionFault('frontmatter', 'the frontmatter is not closed by a line of exactly ---')
  const yaml = text.slice(4, end + 1)
  return { values: readPlain(yaml) ?? readYaml(yaml), body: text.slice(end + 5) }
}

/**
 * Reads the plain form that programs write, without file lists; a full YAML parse of ten thousand such blocks would
 * take seconds.
 */
function readPlain(yaml: string): Map<string, unknown> | undefined {
  const values = new Map<string, unknown>()
  for (const line of yaml.split('\n')) {
    if (line === '') continue
    const [, key, value] = PLAIN_LINE.exec(line) ?? []
    if (key === undefined || value === undefined) return undefined
    if (value === 'null' || value === '[]') values.set(key, value === 'null' ? null : [])
    else if (WORDS_OF_YAML.test(value)) return undefined
    else if (value.startsWith("'")) values.set(key, value.slice(1, -1))
    else values.set(key, /^[1-9][0-9]{0,8}$/.test(value) ? Number(value) : value)
  }
  return values
}

function readYaml(yaml: string): ReadonlyMap<unknown, unknown> {
  const excess = yamlExcess(yaml, BOUNDS)
  if (excess !== undefined) throw new DecisionFault('yaml', `the frontmatter cannot be read: ${excess}`)
  const document = parseDocument(yaml, OPTIONS)
  // An unknown tag such as !!python/object is a warning to the library; here it is a fault.
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem !== undefined)
    throw new DecisionFault('yaml', `the frontmatter is not valid YAML: ${problem.message.split('\n')[0]}`)
  const values = toValues(document)
  if (values === null || values === undefined) return new Map()
  if (!(values instanceof Map)) throw new DecisionFault('mapping', 'the frontmatter is not a mapping of keys to values')
  return values
}

function toValues(document: Pick<Document, 'toJS'>): unknown {
  try {
    return document.toJS({ mapAsMap: true })
  } catch (error) {
    throw new DecisionFault('yaml', `the frontmatter is not valid YAML: ${(error as Error).message.split('\n')[0]}`)
  }
}

/** A YAML value as JSON can represent it. An anchor may point at an enclosing value; such a cycle ends in null. */
export function plainValue(value: unknown, above: readonly unknown[] = []): unknown {
  if (above.includes(value) && typeof value === 'object') return null
  if (Array.isArray(value)) return value.map((item) => plainValue(item, [...above, value]))
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [String(key), plainValue(item, [...above, value])]))
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value)
}

const KNOWN: ReadonlySet<unknown> = new Set(FRONTMATTER_KEYS)

/** The keys of a file that are not Ken's: another program wrote them, and they are kept. */
export const foreignKeys = (text: string): string[] =>
  [...readFrontmatter(text).values.keys()].map(String).filter((key) => !KNOWN.has(key))

/** Position of a key of a block mapping in a text: its lines, and its value within them. */
export interface FieldPlace {
  readonly key: string
  /**
   * From the start of the key's first line to the start of the next key's, so that comments below the key belong to it.
   */
  readonly from: number
  readonly to: number
  /** Span of the value without a trailing comment; empty if the key has no value. */
  readonly valueFrom: number
  readonly valueTo: number
}

/** Undefined if a key does not start a line, as in `{date: 2026-01-01}`, or occurs twice. */
export function fieldPlaces(text: string): FieldPlace[] | undefined {
  const yaml = text.slice(4, text.indexOf('\n---\n', 3) + 1)
  const { contents } = parseDocument(yaml, OPTIONS)
  if (contents === null && yaml.trim() === '') return []
  if (!isMap(contents) || contents.flow === true) return undefined
  const places: FieldPlace[] = []
  for (const { key, value } of contents.items) {
    if (!isScalar(key) || !key.range || (yaml[key.range[0] - 1] ?? '\n') !== '\n') return undefined
    const colon = yaml.indexOf(':', key.range[1]) + 1
    const range = (value as { range?: readonly number[] } | null)?.range ?? [colon, colon]
    const isEmpty = range[0] === range[1]
    places.push({
      key: String(key.value),
      from: 4 + key.range[0],
      to: 4 + yaml.length,
      valueFrom: 4 + (isEmpty ? colon : range[0]!),
      valueTo: 4 + (isEmpty ? colon : range[1]!),
    })
  }
  if (new Set(places.map(({ key }) => key)).size < places.length) return undefined
  return places.map((place, i) => ({ ...place, to: places[i + 1]?.from ?? place.to }))
}

/** The lines of the keys that are not Ken's, byte for byte. */
export function foreignLines(text: string): string {
  if (text === '' || foreignKeys(text).length === 0) return ''
  const places = fieldPlaces(text)
  if (places === undefined)
    throw new DecisionFault('yaml', 'the frontmatter has keys of another program, but not each on a line of its own')
  return places
    .filter(({ key }) => !KNOWN.has(key))
    .map(({ from, to }) => text.slice(from, to))
    .join('')
}
