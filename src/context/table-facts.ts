import { AppError } from '../kernel/domain/errors.ts'
import type { DatabaseConfig } from './domain/context-project/config.ts'
import { judgeColumns } from './domain/personal/judge-columns.ts'
import { maskQueries, maskTable, maskProfile, type KnownPersonal } from './domain/personal/mask-table.ts'
import { masksTexts, personalChoice } from './domain/personal/policy.ts'
import { knownValues } from './domain/sources/column-values.ts'
import { joinsView, type JoinsOfTable } from './domain/sources/joins-view.ts'
import { profileSample, sampleColumns, type SampledColumn } from './domain/sources/sampled-values.ts'
import { NO_NOTES, type NotesOn } from './domain/sources/table-notes.ts'
import type { ProfiledColumn } from './domain/sources/table-profile.ts'
import { usageOf, type ReadQuery } from './domain/sources/table-usage.ts'
import { tableView } from './domain/sources/table-view.ts'
import { withoutWithheld } from './domain/sources/withheld-values.ts'
import type { Column } from './domain/sql/catalogue.ts'
import type { ParsedDialect } from './domain/sql/dialect.ts'
import { isSecretName } from './domain/sql/secret-columns.ts'
import { indexedColumn, type IndexedColumn } from './domain/values/value-index.ts'
import { hiddenColumns } from './hidden-columns.ts'
import type { Template, Templates } from './ports/templates.ts'
import type { TableDetails, TableRef, Warehouse } from './ports/warehouse.ts'
import type { ProfileBudget } from './profile-budget.ts'
import { profileTable, type TableProfile } from './profile-table.ts'
import { readSample, redactTexts, type Redact, type Sample } from './table-sample.ts'

export interface DocumentParts {
  readonly config: DatabaseConfig
  readonly warehouse: Warehouse
  readonly templates: Templates
  /** Project templates by document; they override the built-in ones. */
  readonly overrides: ReadonlyMap<string, Template>
  readonly redact: Redact
  /** Joins of the table beyond its own foreign keys. */
  readonly joins?: JoinsOfTable
  /** Descriptions of tables from other sources and `semantics/`. */
  readonly notes?: NotesOn
  /** Limits of profiling; unlimited if undefined. */
  readonly budget?: ProfileBudget
  /** Questions of the examples that read a table. */
  readonly questionsOf?: (table: TableRef) => readonly string[]
}

/** Facts about a table that may be written to committed files. */
export interface TableFacts extends Pick<Sample, 'secret' | 'personal' | 'redacted'> {
  readonly scope: Readonly<Record<string, unknown>>
  /** The table's description without secrets and personal data. */
  readonly described: TableDetails
  /** All values of a column, by name, if they are known and none is withheld. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /** Values for finding the columns of a question, stored on this machine only. */
  readonly indexed: readonly IndexedColumn[]
  /** A profile is wanted but missing: the time for it was used up. */
  readonly unprofiled: boolean
}

const VALUED: readonly string[] = ['columns', 'profiling']

/** Reads a sample and a profile of a table, and removes secret and personal values. */
export async function readTableFacts(
  given: TableDetails,
  history: readonly ReadQuery[],
  parts: DocumentParts,
): Promise<TableFacts> {
  const { config, warehouse, overrides, redact, budget } = parts
  const hidden = hiddenColumns(given, config)
  const shown = given.columns.filter(({ name }) => !hidden.includes(name))
  const needs = (document: string): boolean =>
    config.documents.includes(document) ||
    [...overrides.values()].some(({ text }) => text.includes(document.replace('profiling', 'profile')))
  const sample = await readSample(given, shown, { warehouse, redact, personal: config.personal }).catch(
    (error: unknown) => {
      if (needs('preview') && !isTooDear(error)) throw error
      return unsampled(given, shown)
    },
  )
  const isMasked = masksTexts(config.personal)
  const people = knownOf(sample, warehouse)
  const table = isMasked ? maskTable(given, people) : given
  const seen = sampleColumns(table, shown, sample.rows)
  const isProfiled = needs('profiling') && budget?.isSpent() !== true
  const profile = isProfiled
    ? await profileWithin(table, seen, parts)
    : { ...profileSample(seen, sample.rows.length), sampled: sample.rows.length !== table.rows?.count, failed: [] }
  // Values that no project file shows are not given to the manifest or a language model either.
  const withheld = VALUED.some(needs)
    ? withoutCategories(table, sample, { profile: isProfiled ? profile : undefined, config })
    : new Set(shown.map(({ name }) => name))
  const told = withoutWithheld({ table, profile }, withheld)
  const known = await redactTexts(
    {
      ...told,
      profile: maskProfile(told.profile, (column) => personalChoice(config.personal, table, column) !== 'show'),
    },
    redact,
  )
  const usage = usageOf(table, history)
  const scope = {
    table: tableView(known.table, {
      dialect: warehouse.dialect.name,
      hidden,
      profile: known.profile,
      whole: !known.profile.sampled,
      notes: await redactTexts((parts.notes ?? NO_NOTES)(table), redact),
    }),
    usage:
      usage === undefined || !isMasked ? (usage ?? null) : { ...usage, queries: maskQueries(usage.queries, people) },
    joins: joinsView(table, parts.joins),
    examples: parts.questionsOf?.(table) ?? [],
    preview: sample.preview,
    personal: personalNote(sample),
    profile: isProfiled ? { ...known.profile, tops: topsOf(known.profile.columns) } : null,
  }
  const { secret, personal, redacted } = sample
  const unprofiled = needs('profiling') && !isProfiled
  const facts = new Map(known.profile.columns.map((column) => [column.name, column]))
  const values = new Map(
    known.table.columns.map((column) => [column.name, knownValues(column, facts.get(column.name))]),
  )
  const indexed = await indexOf(profile, sample, parts)
  return { scope, secret, personal, redacted, described: known.table, values, indexed, unprofiled }
}

/** Columns with secrets are left out; in columns with personal data, values are only recognised. */
async function indexOf(
  { values = new Map() }: TableProfile,
  { secret, withheld }: Sample,
  { redact }: DocumentParts,
): Promise<readonly IndexedColumn[]> {
  const columns: IndexedColumn[] = []
  for (const [name, own] of values) {
    if (isSecretName(name) || secret.includes(name) || (await redact(own.join('\n'))).count > 0) continue
    columns.push(indexedColumn(name, own, withheld.has(name)))
  }
  return columns
}

// A category shared by fewer people could identify them.
const LEAST_SHARED = 5

/**
 * Columns with no value shown. Sensitive columns with categories shared by many rows are not among them: a list of the
 * categories identifies no person, and without it a filter is a guess. In rows they stay masked.
 */
function withoutCategories(
  table: TableDetails,
  { masked, secret, withheld }: Sample,
  { profile, config }: { readonly profile: TableProfile | undefined; readonly config: DatabaseConfig },
): ReadonlySet<string> {
  if (profile === undefined || profile.sampled) return withheld
  const sensitive = masked.whole.filter(
    ({ name, kind }) =>
      kind === 'sensitive' && !secret.includes(name) && personalChoice(config.personal, table, name) === 'judge',
  )
  const isCategory = (name: string): boolean => {
    const { top = [], distinct } = profile.columns.find((column) => column.name === name) ?? {}
    return top.length > 0 && top.length === distinct && top.every(({ count }) => count >= LEAST_SHARED)
  }
  const shown = sensitive.map(({ name }) => name).filter(isCategory)
  return new Set([...withheld].filter((name) => !shown.includes(name)))
}

const SHOWN_VALUES = 10

const topsOf = (columns: readonly ProfiledColumn[]): readonly ProfiledColumn[] =>
  columns.flatMap((column) => (column.top === undefined ? [] : [{ ...column, top: column.top.slice(0, SHOWN_VALUES) }]))

/** Shows no values of a table with unreadable rows; personal columns are still recognised by name. */
function unsampled(table: TableDetails, shown: readonly Column[]): Sample {
  const { columns } = judgeColumns({ name: table.name, columns: shown }, [])
  return {
    rows: [],
    preview: null,
    secret: [],
    withheld: new Set(shown.map(({ name }) => name)),
    personal: columns,
    masked: { whole: columns, inside: [] },
    telling: [],
    redacted: 0,
  }
}

const knownOf = ({ masked, telling }: Sample, { dialect }: Warehouse): KnownPersonal => ({
  columns: masked.whole,
  values: telling,
  quotesText: 'grammar' in dialect && (dialect as ParsedDialect).grammar.lex.stringQuotes.includes('"'),
})

/** One line about masked data; null if there is none. */
function personalNote({ masked: { whole, inside } }: Sample): string | null {
  if (whole.length + inside.length === 0) return null
  const columns = whole.map(({ name, kind }) => (name.toLowerCase() === kind ? name : `${name} (${kind})`))
  return [
    ...(columns.length > 0 ? [`Masked as personal: ${columns.join(', ')}.`] : []),
    ...(inside.length > 0 ? [`Masked in part: ${inside.join(', ')}.`] : []),
    '`personal` of the database in ken.yaml shows columns or masks more.',
  ].join(' ')
}

async function profileWithin(
  table: TableDetails,
  columns: readonly SampledColumn[],
  { config, warehouse, budget }: DocumentParts,
): Promise<TableProfile> {
  const bounded = budget?.forTable(warehouse)
  const profile = await profileTable(table, columns, {
    warehouse: bounded?.warehouse ?? warehouse,
    maxRows: config.profiling.max_rows,
  })
  return { ...profile, limit: bounded?.limitedBy() ?? null }
}

const isTooDear = (error: unknown): boolean => error instanceof AppError && error.details?.['reason'] === 'cost'
