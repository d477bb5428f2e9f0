import { markdownTable } from '../../context/domain/results/markdown-table.ts'
import { templateStatement } from '../../context/template-statement.ts'
import { call } from '../../operations/call.ts'
import type { Given } from '../../operations/context.ts'
import { REGISTRY } from '../../operations/registry.ts'
import { contextHere } from './project-key.ts'

type Output = Readonly<Record<string, unknown>>

interface Hit {
  readonly title: string
  readonly path: string
  readonly snippet: string
  readonly verdict: string
  readonly origin: string
  readonly start_line: number
  readonly standing?: string
}

interface Related {
  readonly id: string
  readonly title: string
  readonly rationale_preview: string
  readonly trust: string
  readonly status: string
}

interface Table {
  readonly database: string
  readonly table: string
  readonly comment?: string
  readonly path: string
  readonly rows?: number
}

export const ADD_A_MODEL =
  'No model is set, so these are the best sources, not an answer. To get one: `ken config set model.name ollama:qwen3` (local), a provider with its key (`ken config set model.name anthropic:…`), or an agent that is installed here (`ken config set model.name agent:claude-code`).'

/** Message for a caller that is not allowed to set a model. */
export const NO_MODEL_HERE =
  'This server has no model, so these are the best sources, not an answer. Whoever runs it names one with KEN_MODEL.'

const MOST_DECISIONS = 3
const MOST_HITS = 5
const MOST_TABLES = 5

/** Evidence for a question from record, memory and context, with its sources: the answer without a model. */
export async function gatherEvidence(ctx: Given, question: string): Promise<string> {
  const asked = async (name: string, input: Output): Promise<Output | undefined> => {
    const operation = await REGISTRY.find((one) => one.name === name)!.load()
    return call(ctx, operation, input).then(
      ({ output }) => output,
      () => undefined,
    )
  }
  const [checked, found, linked] = await Promise.all([
    asked('check_decision', { proposed_approach: question }),
    asked('memory_query', { query: question, limit: MOST_HITS * 2 }),
    asked('list_tables', { question, limit: MOST_TABLES }),
  ])
  const decisions = ((checked?.['related_decisions'] ?? []) as readonly Related[]).slice(0, MOST_DECISIONS)
  const hits = ((found?.['results'] ?? []) as readonly Hit[])
    // Decisions are already listed above, with their reasons.
    .filter(({ verdict, origin }) => verdict !== 'weak' && !(origin === 'decision' && decisions.length > 0))
    .slice(0, MOST_HITS)
  const tables = (linked?.['tables'] ?? []) as readonly Table[]
  const blocks = [
    await templated(ctx, question, asked),
    section('Decisions', decisions.map(decisionLine)),
    section('Found', hits.map(hitLine)),
    section('Tables that would answer it', tables.map(tableLine)),
  ].filter((block) => block !== '')
  return blocks.length === 0
    ? 'Nothing in the record, the memory or the context has to do with it.'
    : blocks.join('\n\n')
}

interface Rows {
  readonly refused?: object
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
  readonly notes: readonly string[]
}

/** The result of a template that matches the whole question; empty if there is none. */
async function templated(
  ctx: Given,
  question: string,
  asked: (name: string, input: Output) => Promise<Output | undefined>,
): Promise<string> {
  const project = await contextHere(ctx as Given<'context'>)
  if (project === undefined) return ''
  const embedder = await (ctx as Given<'record'>).bundledEmbedder()
  const statement = await templateStatement(project, question, embedder).catch(() => undefined)
  if (statement === undefined) return ''
  const found = (await asked('execute_sql', { ...statement, limit: 20 })) as Rows | undefined
  if (found === undefined || found.refused !== undefined) return ''
  return [
    '**By a template**',
    'No model read the question: a template was filled with the table, columns and values that it names.',
    '',
    '```sql',
    statement.sql,
    '```',
    '',
    ...markdownTable(found.columns, found.rows),
    ...found.notes,
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`**${title}**`, ...lines].join('\n')

const decisionLine = ({ id, title, rationale_preview: why, trust, status }: Related): string =>
  `- ${title} (${id}${status === 'active' ? '' : `, ${status}`}${trust === 'approved' ? '' : `, ${trust}`}): ${why}`

const hitLine = ({ title, path, snippet, start_line: line, standing }: Hit): string =>
  `- ${title}${standing === undefined ? '' : ` (${standing})`}: ${snippet.replaceAll(/\s+/g, ' ').trim()} (${path}:${line})`

const tableLine = ({ database, table, comment, path, rows }: Table): string =>
  `- ${database} ${table}${rows === undefined ? '' : `, ${rows.toLocaleString('en-US')} rows`}${comment === undefined ? '' : `: ${comment}`} (${path}/columns.md)`
