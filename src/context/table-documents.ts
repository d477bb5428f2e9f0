import type { DatabaseConfig } from '../core/context-project/config.ts'
import { hiddenAmong } from '../core/context-project/name-glob.ts'
import { judgeColumns } from '../core/personal/judge-columns.ts'
import { maskProfile } from '../core/personal/mask-profile.ts'
import { maskQueries, maskTable, type KnownPersonal } from '../core/personal/mask-table.ts'
import { masksTexts, personalChoice } from '../core/personal/policy.ts'
import { summaryPrompt, summaryText } from '../core/sources/table-summary.ts'
import { TABLE_TEMPLATES } from '../core/sources/table-templates.ts'
import { usageOf, type ReadQuery } from '../core/sources/table-usage.ts'
import { tableView } from '../core/sources/table-view.ts'
import type { ParsedDialect } from '../core/sql/dialect.ts'
import type { FetchedItem, ModelDocument, SourceDocument } from '../ports/source.ts'
import type { Template, Templates } from '../ports/templates.ts'
import type { Column, TableDetails, Warehouse } from '../ports/warehouse.ts'
import { profileTable } from './profile-table.ts'
import { readSample, redactTexts, type Redact, type Sample } from './table-sample.ts'

export interface DocumentParts {
  readonly config: DatabaseConfig
  readonly warehouse: Warehouse
  readonly templates: Templates
  /** Templates of the project, by document; they stand before the built-in ones. */
  readonly overrides: ReadonlyMap<string, Template>
  readonly redact: Redact
}

export const SUMMARY = 'ai_summary'
const SUMMARISED: readonly string[] = ['columns.md', 'profiling.md', 'preview.md']

/** The documents of a table, which of its columns hold secrets and personal data, and its description without the latter. */
type Written = Omit<FetchedItem, 'table'> & Pick<Sample, 'secret' | 'personal'> & { readonly described: TableDetails }

/** The documents of one table, each from its template. */
export async function writeDocuments(
  given: TableDetails,
  history: readonly ReadQuery[],
  parts: DocumentParts,
): Promise<Written> {
  const { config, warehouse, templates, overrides, redact } = parts
  const hidden = hiddenColumns(given, config)
  const shown = given.columns.filter(({ name }) => !hidden.includes(name))
  const needs = (document: string): boolean =>
    config.documents.includes(document) ||
    [...overrides.values()].some(({ text }) => text.includes(document.replace('profiling', 'profile')))
  const sample = await readSample(given, shown, { warehouse, redact, personal: config.personal }).catch(
    (error: unknown) => {
      if (needs('preview')) throw error
      return unsampled(given, shown)
    },
  )
  const known = knownOf(sample, warehouse)
  const table = masksTexts(config.personal) ? maskTable(given, known) : given
  const usage = usageOf(table, history)
  const scope = {
    table: tableView(await redactTexts(table, redact), { dialect: warehouse.dialect.name, hidden }),
    usage:
      usage === undefined
        ? null
        : { ...usage, queries: masksTexts(config.personal) ? maskQueries(usage.queries, known) : usage.queries },
    preview: sample.preview,
    personal: personalNote(sample),
    profile: needs('profiling')
      ? await redactTexts(
          maskProfile(
            await profileTable(table, shown, {
              warehouse,
              maxRows: config.profiling.max_rows,
              withheld: sample.withheld,
            }),
            sample.withheld,
            (column) => personalChoice(config.personal, table, column) !== 'show',
          ),
          redact,
        )
      : null,
  }
  const { secret, personal, redacted } = sample
  const documents: SourceDocument[] = []
  for (const document of config.documents.filter((name) => name !== SUMMARY)) {
    const template = overrides.get(document) ?? { name: document, text: TABLE_TEMPLATES[document]! }
    documents.push({ name: `${document}.md`, text: await templates.render(template, scope), framed: true })
  }
  if (!config.documents.includes(SUMMARY)) return { documents, secret, personal, described: table, redacted }
  const columns = config.documents.includes('columns')
    ? []
    : [await templates.render({ name: 'columns', text: TABLE_TEMPLATES['columns']! }, scope)]
  return {
    documents,
    secret,
    personal,
    described: table,
    redacted,
    modelDocuments: [
      summaryOf(`${table.schema}.${table.name}`, [
        ...columns,
        ...documents.filter(({ name }) => SUMMARISED.includes(name)).map(({ text }) => text),
      ]),
    ],
  }
}

/** Nothing of a table is shown whose rows cannot be read; its names still tell what is personal. */
function unsampled(table: TableDetails, shown: readonly Column[]): Sample {
  const { columns } = judgeColumns({ name: table.name, columns: shown }, [])
  return {
    preview: {},
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

/** One line about what is masked; null when nothing is. */
function personalNote({ masked: { whole, inside } }: Sample): string | null {
  if (whole.length + inside.length === 0) return null
  const columns = whole.map(({ name, kind }) => (name.toLowerCase() === kind ? name : `${name} (${kind})`))
  return [
    ...(columns.length > 0 ? [`Masked as personal: ${columns.join(', ')}.`] : []),
    ...(inside.length > 0 ? [`Masked in part: ${inside.join(', ')}.`] : []),
    '`personal` of the database in ken.yaml shows columns or masks more.',
  ].join(' ')
}

/** Written from what the other documents say, so that no row is sent that is not in the files anyway. */
function summaryOf(table: string, facts: readonly string[]): ModelDocument {
  return {
    name: `${SUMMARY}.md`,
    ...summaryPrompt(table, facts),
    wrap: (answer, model) => summaryText(table, model, answer),
  }
}

export const hiddenColumns = (table: TableDetails, config: DatabaseConfig): readonly string[] =>
  hiddenAmong(
    table.columns.map((column) => column.name),
    table,
    config,
  )
