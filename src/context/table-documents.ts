import { summaryPrompt, summaryText } from './domain/sources/table-summary.ts'
import { TABLE_TEMPLATES } from './domain/sources/table-templates.ts'
import type { ReadQuery } from './domain/sources/table-usage.ts'
import type { FetchedItem, ModelDocument, SourceDocument } from './ports/source.ts'
import type { TableDetails } from './ports/warehouse.ts'
import { readTableFacts, type DocumentParts, type TableFacts } from './table-facts.ts'

type WrittenTable = Omit<FetchedItem, 'table'> & Omit<TableFacts, 'scope'>

export const SUMMARY = 'ai_summary'
const SUMMARISED: readonly string[] = ['columns.md', 'profiling.md', 'preview.md']

/** Renders the documents of one table, each from its template. */
export async function writeDocuments(
  table: TableDetails,
  history: readonly ReadQuery[],
  parts: DocumentParts,
): Promise<WrittenTable> {
  const { config, templates, overrides } = parts
  const { scope, ...facts } = await readTableFacts(table, history, parts)
  const documents: SourceDocument[] = []
  for (const document of config.documents.filter((name) => name !== SUMMARY)) {
    const template = overrides.get(document) ?? { name: document, text: TABLE_TEMPLATES[document]! }
    documents.push({ name: `${document}.md`, text: await templates.render(template, scope), framed: true })
  }
  if (!config.documents.includes(SUMMARY)) return { ...facts, documents }
  const columns = config.documents.includes('columns')
    ? []
    : [await templates.render({ name: 'columns', text: TABLE_TEMPLATES['columns']! }, scope)]
  return {
    ...facts,
    documents,
    modelDocuments: [
      summaryOf(`${table.schema}.${table.name}`, [
        ...columns,
        ...documents.filter(({ name }) => SUMMARISED.includes(name)).map(({ text }) => text),
      ]),
    ],
  }
}

/** Based on the other documents, so that no row is sent that is not in the files anyway. */
function summaryOf(table: string, facts: readonly string[]): ModelDocument {
  return {
    name: `${SUMMARY}.md`,
    ...summaryPrompt(table, facts),
    wrap: (answer, model) => summaryText(table, model, answer),
  }
}
