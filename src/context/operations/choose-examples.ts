import { estimateTokens } from '../../kernel/domain/text/estimate-tokens.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import type { CompiledTable, ManifestEntry } from '../domain/context-project/manifest.ts'
import { judgeExample } from '../domain/examples/judge-example.ts'
import { exampleText, type ChosenExample, type ProvenExample } from '../domain/examples/proven-example.ts'
import { rankExamples } from '../domain/examples/rank-examples.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { allowedTables } from './sql-scope.ts'

export interface ExampleQuestion {
  readonly question: string
  /** Tables that the question probably needs, most certain first. */
  readonly linked: readonly ManifestEntry[]
  readonly tokens: number
}

const MOST = 3
const MOST_JUDGED = 8
/** Milliseconds for all examples. An unreachable server must not hold up the question; a file needs a process. */
const PATIENCE = { server: 3_000, file: 20_000 } as const

/** The examples most similar to a question that can still run, without secrets, within a token budget. */
export async function chooseExamples(
  project: ContextProject,
  examples: readonly ProvenExample[],
  { question, linked, tokens }: ExampleQuestion,
  embedder: Embedder | undefined,
): Promise<readonly ChosenExample[]> {
  const fitOf = fitting(linked)
  const ranked = await rankExamples(
    question,
    examples.map((example) => ({ question: example.question, tables: fitOf(example.sql) })),
    embedder === undefined ? undefined : (texts) => embedder.embed(texts, 'document'),
  )
  const chosen: ChosenExample[] = []
  const known = new Set<string>()
  let left = tokens
  const late = { server: deadline(PATIENCE.server), file: deadline(PATIENCE.file) }
  for (const { example } of ranked.slice(0, MOST_JUDGED)) {
    const one = examples[example]!
    const cost = estimateTokens(exampleText(one)) + ENVELOPE
    if (known.has(one.sql) || cost > left) continue
    const database = await databaseFor(project, one, late)
    if (database === undefined) continue
    known.add(one.sql)
    left -= cost
    const [asked, sql] = await Promise.all([project.redact(one.question), project.redact(one.sql)])
    chosen.push({ ...one, question: asked.text, sql: sql.text, database })
    if (chosen.length === MOST) break
  }
  late.server.cancel()
  late.file.cancel()
  return chosen
}

/** Tokens of the tags around an example. */
const ENVELOPE = 40

/** How well the tables that a statement names fit the linked ones, from 0 to 1. */
function fitting(linked: readonly ManifestEntry[]): (sql: string) => number {
  const places = new Map<string, number>()
  linked.forEach(({ table }, place) => {
    const name = (table as CompiledTable).name.toLowerCase()
    if (!places.has(name)) places.set(name, place)
  })
  return (sql) => {
    const words = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_$]+/gu))
    const found = [...places].filter(([name]) => words.has(name)).map(([, place]) => 1 / (1 + place / HALF_AT))
    return found.length === 0 ? 0 : found.reduce((sum, one) => sum + one, 0) / found.length
  }
}

/** Position in the list of linked tables at which a table counts half. */
const HALF_AT = 4

/** The database that would run the statement now; undefined if none would, or not in time. */
async function databaseFor(
  project: ContextProject,
  { sql, database }: ProvenExample,
  late: Readonly<Record<keyof typeof PATIENCE, Deadline>>,
): Promise<string | undefined> {
  const names = project.config.databases.map(({ name }) => name)
  for (const name of database === undefined ? names : names.filter((one) => one === database)) {
    const entry = project.config.entries.find(({ key }) => key === `database/${name}`)
    const place = entry?.reaches.some((reached) => 'opens' in reached) === true ? 'file' : 'server'
    if ((await Promise.race([wouldRun(project, name, sql), late[place].passed])) === true) return name
  }
  return undefined
}

async function wouldRun(project: ContextProject, name: string, sql: string): Promise<boolean> {
  try {
    const warehouse = await project.warehouse(name)
    const tables = await allowedTables(project, name)
    return judgeExample(await warehouse.parse(sql), { dialect: warehouse.dialect, tables }).stale === undefined
  } catch {
    // A database that is not trusted or cannot be opened runs nothing.
    return false
  }
}

interface Deadline {
  readonly passed: Promise<undefined>
  cancel(): void
}

function deadline(milliseconds: number): Deadline {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), milliseconds)
  return { passed: promise, cancel: () => clearTimeout(timer) }
}
