import type { Embedder } from '../retrieval/ports/embedder.ts'
import { templateOf } from './domain/schema/templated-statement.ts'
import { valuesOfQuestion } from './link-schema.ts'
import type { ContextProject } from './ports/context-project.ts'

export interface TemplateStatement {
  readonly database: string
  readonly sql: string
}

const LISTED = 20

/**
 * The statement of a template for a question that contains only a table, a measure and filters; otherwise undefined.
 */
export async function templateStatement(
  project: ContextProject,
  question: string,
  embedder: Embedder | undefined,
): Promise<TemplateStatement | undefined> {
  const { tables, values } = await valuesOfQuestion(project, question, embedder)
  const template = templateOf(question, tables, values)
  if (template === undefined) return undefined
  const table = tables[template.table]!
  const { quote, dialect } = await project.warehouse(table.connection)
  const where = template.filters.map(({ column, value }) => `${quote(column)} = '${value.replaceAll("'", "''")}'`)
  const from = `FROM ${quote(table.schema)}.${quote(table.name)}${where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`}`
  const sql = {
    count: `SELECT COUNT(*) AS n ${from}`,
    sum: `SELECT SUM(${quote(template.measure ?? '')}) AS total ${from}`,
    list: dialect.spelling.firstRows(`SELECT * ${from}`, LISTED),
  }[template.kind]
  return { database: table.connection, sql }
}
