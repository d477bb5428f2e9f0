import type { DatabaseConfig } from '../core/context-project/config.ts'
import { hiddenAmong } from '../core/context-project/name-glob.ts'
import { summaryPrompt, summaryText } from '../core/sources/table-summary.ts'
import { TABLE_TEMPLATES } from '../core/sources/table-templates.ts'
import { usageOf, type ReadQuery } from '../core/sources/table-usage.ts'
import { tableView } from '../core/sources/table-view.ts'
import type { FetchedItem, ModelDocument, SourceDocument } from '../ports/source.ts'
import type { Template, Templates } from '../ports/templates.ts'
import type { TableDetails, TableRef, Warehouse } from '../ports/warehouse.ts'
import { profileTable } from './profile-table.ts'
import { readSample, redactTexts, type Redact, type Sample } from './table-sample.ts'

export interface DocumentParts {
  readonly config: DatabaseConfig
  readonly warehouse: Warehouse
  readonly templates: Templates
  /** Templates of the project, by document; they stand before the built-in ones. */
  readonly overrides: ReadonlyMap<string, Template>
  readonly redact: Redact
  /** The questions of the examples that read a table. */
  readonly questionsOf?: (table: TableRef) => readonly string[]
}

export const SUMMARY = 'ai_summary'
const SUMMARISED: readonly string[] = ['columns.md', 'profiling.md', 'preview.md']

/** The documents of one table, each from its template, and which of its columns hold secrets. */
export async function writeDocuments(
  table: TableDetails,
  history: readonly ReadQuery[],
  parts: DocumentParts,
): Promise<Omit<FetchedItem, 'table'> & Pick<Sample, 'secret'>> {
  const { config, warehouse, templates, overrides, redact } = parts
  const hidden = hiddenColumns(table, config)
  const shown = table.columns.filter(({ name }) => !hidden.includes(name))
  const needs = (document: string): boolean =>
    config.documents.includes(document) ||
    [...overrides.values()].some(({ text }) => text.includes(document.replace('profiling', 'profile')))
  const sample = await readSample(
    table,
    shown.map(({ name }) => name),
    { warehouse, redact },
  ).catch((error: unknown) => {
    if (needs('preview')) throw error
    return { preview: null, secret: [], withheld: new Set(shown.map(({ name }) => name)), redacted: 0 }
  })
  const scope = {
    table: tableView(await redactTexts(table, redact), { dialect: warehouse.dialect.name, hidden }),
    usage: usageOf(table, history) ?? null,
    examples: parts.questionsOf?.(table) ?? [],
    preview: sample.preview,
    profile: needs('profiling')
      ? await redactTexts(
          await profileTable(table, shown, {
            warehouse,
            maxRows: config.profiling.max_rows,
            withheld: sample.withheld,
          }),
          redact,
        )
      : null,
  }
  const { secret, redacted } = sample
  const documents: SourceDocument[] = []
  for (const document of config.documents.filter((name) => name !== SUMMARY)) {
    const template = overrides.get(document) ?? { name: document, text: TABLE_TEMPLATES[document]! }
    documents.push({ name: `${document}.md`, text: await templates.render(template, scope), framed: true })
  }
  if (!config.documents.includes(SUMMARY)) return { documents, secret, redacted }
  const columns = config.documents.includes('columns')
    ? []
    : [await templates.render({ name: 'columns', text: TABLE_TEMPLATES['columns']! }, scope)]
  return {
    documents,
    secret,
    redacted,
    modelDocuments: [
      summaryOf(`${table.schema}.${table.name}`, [
        ...columns,
        ...documents.filter(({ name }) => SUMMARISED.includes(name)).map(({ text }) => text),
      ]),
    ],
  }
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
