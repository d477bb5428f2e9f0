import { type Document, parseDocument } from 'yaml'
import { yamlExcess } from '../yaml-bounds.ts'
import { FRONTMATTER_KEYS, RESERVED_KEYS } from './decision.ts'
import { DecisionFault } from './fault.ts'

const PLAIN_LINE = /^([a-z_]+): ([A-Za-z][A-Za-z0-9_]*|[0-9]{4}-[0-9]{2}-[0-9]{2}|'[0-9]+'|[1-9][0-9]{0,8})$/
const WORDS_OF_YAML = /^(?:true|false|yes|no|on|off|null|y|n|nan|inf)$/i

// Two hundred files of the longest name fit; a parser that is given more takes seconds.
const BOUNDS = { characters: 128 * 1024, tokens: 2_000, depth: 8, aliases: 0 }

export interface Frontmatter {
  readonly values: ReadonlyMap<unknown, unknown>
  readonly body: string
}

/**
 * Splits a file at its fences and reads the mapping between them. Scalars come as YAML 1.1 types, except that dates
 * stay strings.
 */
export function readFrontmatter(text: string): Frontmatter {
  if (!text.startsWith('---\n'))
    throw new DecisionFault('frontmatter', 'the file does not start with a line of exactly ---')
  const end = text.indexOf('\n---\n', 3)
  if (end < 0) throw new DecisionFault('frontmatter', 'the frontmatter is not closed by a line of exactly ---')
  const yaml = text.slice(4, end + 1)
  return { values: readPlain(yaml) ?? readYaml(yaml), body: text.slice(end + 5) }
}

/** The form Ken itself writes, without files; a full YAML parse of ten thousand such blocks would cost seconds. */
function readPlain(yaml: string): Map<string, unknown> | undefined {
  const values = new Map<string, unknown>()
  for (const line of yaml.split('\n')) {
    if (line === '') continue
    const [, key, value] = PLAIN_LINE.exec(line) ?? []
    if (key === undefined || value === undefined || WORDS_OF_YAML.test(value)) return undefined
    if (value.startsWith("'")) values.set(key, value.slice(1, -1))
    else values.set(key, /^[1-9][0-9]{0,8}$/.test(value) ? Number(value) : value)
  }
  return values
}

function readYaml(yaml: string): ReadonlyMap<unknown, unknown> {
  const excess = yamlExcess(yaml, BOUNDS)
  if (excess !== undefined) throw new DecisionFault('yaml', `the frontmatter cannot be read: ${excess}`)
  const document = parseDocument(yaml, {
    version: '1.1',
    uniqueKeys: false,
    logLevel: 'silent',
    prettyErrors: false,
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !tag.tag.endsWith(':timestamp')),
  })
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

const KNOWN = new Set<unknown>([...FRONTMATTER_KEYS, ...RESERVED_KEYS])

/** Takes keys that are none of the ten out of a file's frontmatter; everything else stays as it is. */
export function splitUnknownKeys(text: string): { text: string; unknown: Record<string, unknown> } {
  const { values, body } = readFrontmatter(text)
  const unknown = Object.fromEntries([...values].filter(([key]) => typeof key === 'string' && !KNOWN.has(key)))
  const frontmatter = text.slice(4, text.length - body.length - 5)
  const kept: string[] = []
  let dropping = false
  for (const line of frontmatter.split('\n')) {
    const key = /^("?)([^\s:"'#-][^:]*?)\1:(?:\s|$)/.exec(line)?.[2]
    if (key !== undefined) dropping = key in unknown
    if (!dropping) kept.push(line)
  }
  return { text: `---\n${kept.map((line) => `${line}\n`).join('')}---\n${body}`, unknown }
}

/** A YAML value as JSON can hold it. An anchor may point at what it stands in; such a circle ends in null. */
export function plainValue(value: unknown, above: readonly unknown[] = []): unknown {
  if (above.includes(value) && typeof value === 'object') return null
  if (Array.isArray(value)) return value.map((item) => plainValue(item, [...above, value]))
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [String(key), plainValue(item, [...above, value])]))
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value)
}
