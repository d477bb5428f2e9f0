import { z } from 'zod'
import { GENERATOR } from './framed-file.ts'

export { estimateTokens } from '../../../kernel/domain/text/estimate-tokens.ts'

/**
 * Whether a path stays inside the project, in files and folders that Ken could have written: a manifest may have come
 * with a clone.
 */
const isInside = (path: string): boolean =>
  path.length <= 4_096 &&
  !/^[/\\]|^[a-z]:|[\\\0]|\/$/i.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

const file = z.object({
  path: z.string().refine(isInside),
  /** SHA-256 of the text without its frontmatter, first 16 hex. */
  hash: z.string(),
  bytes: z.number(),
  tokens: z.number(),
  /** When this text was fetched. */
  fetched_at: z.string(),
  /** True for files that begin with Ken's frontmatter; false for copies of other people's files. */
  framed: z.boolean(),
  /** When the table's rows last changed, if the engine records that. */
  data_changed_at: z.iso.datetime().optional().catch(undefined),
  /** For a model-written text: the model, and the hash of its input. */
  model: z.object({ id: z.string(), asked: z.string() }).optional(),
})

const column = z.object({
  name: z.string(),
  type: z.string(),
  comment: z.string().optional(),
  /** All current or possible values, if they are few and not secret; see `keptValues`. */
  values: z.array(z.string()).optional(),
  /** For a view: columns of its tables whose values it may show, in lower case; undefined for all of them. */
  carries: z.array(z.string()).optional(),
})

const foreignKey = z.object({
  columns: z.array(z.string()),
  /** `schema.name` of the referenced table. */
  table: z.string(),
  referenced: z.array(z.string()),
  /** At most one row of this table refers to any row of the referenced one. */
  unique: z.boolean().optional(),
})

const inferredJoin = z.object({
  column: z.string(),
  /** `schema.name` of the table that the column probably refers to. */
  table: z.string(),
  referenced: z.string(),
  /** The hint for the join, and the evidence in rows. */
  why: z.enum(['name', 'key', 'shared', 'alike']),
  about: z.string(),
})

const table = z.object({
  /** The name of the database in ken.yaml; `database` is its own name. */
  connection: z.string(),
  database: z.string(),
  schema: z.string(),
  name: z.string(),
  kind: z.string(),
  comment: z.string().optional(),
  rows: z.number().optional(),
  columns: z.array(column),
  /** Empty if there is none, or if a part of it is hidden. */
  primary_key: z.array(z.string()).default([]),
  /** Foreign keys that neither begin nor end at a hidden column. */
  foreign_keys: z.array(foreignKey).default([]),
  /** Undeclared joins. */
  inferred_joins: z.array(inferredJoin).optional(),
  hidden: z.array(z.string()).default([]),
  /** Columns with values that looked like secrets when the table was read. */
  secret: z.array(z.string()).default([]),
  /** Columns with personal data, masked in the files or not. */
  personal: z.array(z.object({ name: z.string(), kind: z.string() })).optional(),
  /** For a view with a readable definition, if agents do not get all columns: the tables it reads, in lower case. */
  reads: z.array(z.string()).optional(),
})

const entry = z.object({
  source: z.string(),
  item: z.string(),
  title: z.string(),
  fingerprint: z.string(),
  /** When the source was last checked; the text may be unchanged. */
  checked_at: z.string(),
  files: z.array(file),
  /** The entry's files may be old, new or missing: writing them was interrupted. */
  unfinished: z.boolean().optional(),
  /** Documents still to be written by a language model. */
  lacks: z.array(z.string()).optional(),
  stale: z.object({ since: z.string(), reason: z.string() }).optional(),
  /** State of the item's data when it was fetched: the mark in the listing, and the result of a closer look. */
  data: z.object({ mark: z.string().optional(), look: z.string().optional() }).optional(),
  /** The table is still to be profiled: the time limit was reached. */
  unprofiled: z.boolean().optional(),
  table: table.optional(),
})

export type ManifestFile = z.output<typeof file>
export type ManifestEntry = z.output<typeof entry>
export type CompiledTable = z.output<typeof table>

/** Record of every generated file, with one entry per item of a source, by source and item. */
export type Manifest = ReadonlyMap<string, ManifestEntry>

export const entryKey = (source: string, item: string): string => `${source}\n${item}`

/** An entry as in the manifest, which records no interrupted build. */
export const finished = (one: ManifestEntry): ManifestEntry =>
  one.unfinished === undefined ? one : { ...one, unfinished: undefined }

/** One line per entry, so that a diff shows the changes and a partial line damages only one entry. */
export function formatManifest(manifest: Manifest): string {
  const entries = [...manifest.values()]
    .map(finished)
    .toSorted((a, b) => (entryKey(a.source, a.item) < entryKey(b.source, b.item) ? -1 : 1))
  return (
    [JSON.stringify({ version: 1, generator: GENERATOR }), ...entries.map((one) => JSON.stringify(one))].join('\n') +
    '\n'
  )
}

const MOST_VALUES = 30
const LONGEST_VALUE = 80

/**
 * Returns the values of a column for an entry, or undefined if there are too many: a subset would be mistaken for all
 * values.
 */
export const keptValues = (values: readonly string[]): string[] | undefined =>
  values.length === 0 || values.length > MOST_VALUES || values.some((value) => value.length > LONGEST_VALUE)
    ? undefined
    : [...values]

// A table of ten thousand columns takes a tenth of it.
export const LONGEST_LINE = 16_000_000

/**
 * Parses one line of a manifest. Undefined for its first line and for an invalid one: a clone may contain any
 * text.
 */
export function parseEntry(line: string): ManifestEntry | undefined {
  if (line === '' || line.startsWith('{"version"') || line.length > LONGEST_LINE) return undefined
  const parsed = entry.safeParse(jsonOf(line))
  return parsed.success ? parsed.data : undefined
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Escapes a path as a Markdown link target, so that nothing in it ends the link. */
export const linkTarget = (path: string): string =>
  encodeURI(path).replaceAll(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))
