/**
 * Measures the schema part of the analyst's prompt: `npm run eval:analyst -- --data <folder>`. Each question goes
 * through `ask` with a model that only records its input; the needed tables and columns are looked up in that input, at
 * 2,000 and 8,000 tokens of schema. The peers, with the same budget: all tables in catalogue order until it is full,
 * and plain BM25 over CREATE TABLE. Runs on the demo shop, and on BEAVER (463 real tables) if its folder exists. Half
 * of the questions are held out, by a hash.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { makeShop, SHOP_TABLES } from '../scripts/demo-shop.ts'
import { openKen, type Ken } from '../src/app/open.ts'
import { estimateTokens } from '../src/context/domain/context-project/manifest.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { openScriptedModel, type ScriptedModel } from '../test/scripted-model.ts'
import {
  beaverFolder,
  createTable,
  goldTables,
  hasBeaver,
  isKeptBackId,
  makeBeaver,
  readBeaver,
  type BeaverQuestion,
  type BeaverTable,
} from './beaver-project.ts'
import { packByWords } from './company/bm25.ts'
import { SHOP_QUESTIONS } from './shop-questions.ts'
import { HALVES, type Figure, type Half, type SuiteOptions } from './suite.ts'

interface Question {
  readonly id: string
  readonly text: string
  /** Needed columns by table. */
  readonly needs: ReadonlyMap<string, readonly string[]>
}

interface Place {
  readonly name: string
  readonly folder: string
  readonly questions: readonly Question[]
  /** CREATE TABLE statements, in catalogue order. */
  readonly tables: readonly string[]
}

interface Desk {
  readonly outside: string
  readonly model: ScriptedModel
  readonly ken: Ken
}

interface Told {
  readonly system: string
  readonly tokens: number
  /**
   * For each half, and for both halves: needed tables, needed columns, and questions with all needed tables and
   * columns.
   */
  readonly shares: Readonly<Record<Half, readonly [tables: number, columns: number, all: number]>>
}

const BUDGETS = [2_000, 8_000]
const OWN = 'what the analyst is told'
const BY_WORDS = 'BM25 over CREATE TABLE'
const MEASURES = ['needed tables', 'needed columns', 'questions with all of both'] as const

export const shopLinkingFigures = (): Promise<Figure[]> => figuresOf(shop)

export async function beaverLinkingFigures(options: SuiteOptions): Promise<Figure[]> {
  if (!hasBeaver(options)) return []
  const figures: Figure[] = []
  for (const part of BEAVER_PARTS)
    figures.push(...(await figuresOf(async ({ outside }) => beaver(outside, options.data, part))))
  return figures
}

/** All six databases, and the warehouse alone: most of its schema fits into 8,000 tokens. */
const BEAVER_PARTS: readonly (string | undefined)[] = [undefined, 'dw']

async function figuresOf(open: (desk: Desk) => Promise<Place>): Promise<Figure[]> {
  const desk = await openDesk()
  try {
    const place = await open(desk)
    await sync(desk, place)
    const figures: Figure[] = []
    for (const budget of BUDGETS) {
      const systems = await measure(desk, place, budget)
      const [own, words] = [OWN, BY_WORDS].map((name) => systems.find(({ system }) => system === name)!)
      const set = `${place.name}, ${budget.toLocaleString('en')} tokens of schema`
      for (const half of HALVES)
        for (const [i, name] of MEASURES.entries())
          figures.push({
            set,
            half,
            measure: name,
            value: own!.shares[half][i]!,
            better: 'higher',
            peer: { name: BY_WORDS, value: words!.shares[half][i]! },
          })
    }
    return figures
  } finally {
    await close(desk)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { data: { type: 'string' } } })
  const desk = await openDesk()
  try {
    const others = BEAVER_PARTS.map((part) => beaver(desk.outside, values.data, part))
    for (const place of [await shop(desk), ...others]) await show(desk, place)
  } finally {
    await close(desk)
  }
}

async function openDesk(): Promise<Desk> {
  const outside = mkdtempSync(join(tmpdir(), 'ken-eval-analyst-'))
  const model = await openScriptedModel(() => 'Noted.')
  const environment = {
    HOME: outside,
    KEN_HOME: join(outside, 'home'),
    KEN_TELEMETRY: '0',
    KEN_MODEL: 'compatible:listener',
    KEN_MODEL_URL: `${model.url}/v1`,
  }
  return { outside, model, ken: openKen(environment, () => {}) }
}

async function close({ ken, model, outside }: Desk): Promise<void> {
  await ken.close()
  await model.close()
  rmSync(outside, { recursive: true, force: true })
}

async function shop({ outside }: Desk): Promise<Place> {
  const folder = join(outside, 'shop')
  mkdirSync(folder)
  await makeShop(join(folder, 'shop.duckdb'), 2_000)
  writeFileSync(
    join(folder, 'ken.yaml'),
    stringify({ name: 'shop', databases: [{ name: 'shop', type: 'duckdb', path: 'shop.duckdb' }] }),
  )
  const questions = SHOP_QUESTIONS.map(({ text, needs }) => ({
    id: text,
    text,
    needs: new Map(
      [...Map.groupBy(needs, (need) => need.split('.')[0]!)].map(([table, own]) => [
        table,
        own.map((need) => need.split('.')[1]!),
      ]),
    ),
  }))
  return { name: 'demo shop', folder, questions, tables: SHOP_TABLES }
}

function beaver(outside: string, from: string | undefined, part: string | undefined): Place {
  const folder = join(outside, `beaver-${part ?? 'all'}`)
  mkdirSync(folder)
  const data = beaverFolder(from)
  const isIn = (database: string): boolean => part === undefined || database === part
  const tables = Object.values(readBeaver<Record<string, BeaverTable>>(data, 'tables.json')).filter((table) =>
    isIn(table.db_id),
  )
  makeBeaver(folder, tables)
  const columnsOf = new Map(
    tables.map((table) => [`${table.db_id}.${table.table_name_original}`.toUpperCase(), table.column_names_original]),
  )
  const asked = readBeaver<BeaverQuestion[]>(data, 'questions.json').filter((question) =>
    goldTables(question).every((table) => columnsOf.has(table)),
  )
  const questions = asked.map((question) => {
    const words = new Set(question.sql.toUpperCase().match(/[A-Z0-9_$#]+/g) ?? [])
    const needs = goldTables(question).map((table) => {
      const used = (columnsOf.get(table) ?? []).filter((column) => words.has(column.toUpperCase()))
      return [table.slice(table.indexOf('.') + 1), used] as const
    })
    return { id: question.id, text: question.question, needs: new Map(needs) }
  })
  return {
    name: part === undefined ? 'BEAVER' : 'BEAVER, warehouse alone',
    folder,
    questions,
    tables: tables.map(createTable),
  }
}

async function show(desk: Desk, place: Place): Promise<void> {
  const { name, questions, tables } = place
  await sync(desk, place)
  for (const budget of BUDGETS) {
    console.log(
      `\n${`${name}: ${questions.length} questions, ${tables.length} tables, ${budget.toLocaleString('en')} tokens`.padEnd(58)}${['tuned', 'kept back', 'all'].map((title) => title.padStart(20)).join('')}`,
    )
    for (const { system, tokens, shares } of await measure(desk, place, budget)) {
      const shown = (['tuned', 'kept back', 'all'] as const).map((half) =>
        shares[half].map(rate).join(' ').padStart(20),
      )
      console.log(`${`${system} (${tokens.toLocaleString('en')} tokens)`.padEnd(58)}${shown.join('')}`)
    }
  }
  console.log('(needed tables, needed columns, questions with all of both)')
}

async function measure(desk: Desk, { folder, questions, tables }: Place, budget: number): Promise<Told[]> {
  // The schema may take at most an eighth of the window.
  await run(desk, folder, 'config_set', { name: 'model.window', value: String(8 * budget) })
  await run(desk, folder, 'config_set', { name: 'analyst.schemaTokens', value: String(budget) })
  const words = packByWords(tables)
  const systems: Record<string, (question: string) => Promise<string>> = {
    async [OWN](question) {
      desk.model.requests.length = 0
      await run(desk, folder, 'ask', { question })
      return desk.model.requests[0]!.user.slice(question.length)
    },
    [BY_WORDS]: (question) => words(question, budget),
    'all tables until full': async () => untilFull(tables, budget),
  }
  const told: Told[] = []
  for (const [system, pack] of Object.entries(systems)) {
    const judged: { id: string; tables: number; columns: number; all: number; tokens: number }[] = []
    for (const question of questions) {
      const text = await pack(question.text)
      judged.push({ id: question.id, tokens: estimateTokens(text), ...judge(text, question) })
    }
    const share = (part: typeof judged) =>
      [
        mean(part.map((one) => one.tables)),
        mean(part.map((one) => one.columns)),
        mean(part.map((one) => one.all)),
      ] as const
    told.push({
      system,
      tokens: Math.round(mean(judged.map((one) => one.tokens))),
      shares: {
        tuned: share(judged.filter(({ id }) => !isKeptBackId(id))),
        'kept back': share(judged.filter(({ id }) => isKeptBackId(id))),
        all: share(judged),
      },
    })
  }
  return told
}

function sync(desk: Desk, { folder }: Place): Promise<void> {
  return run(desk, folder, 'sync_sources', {})
}

async function run({ ken }: Desk, folder: string, name: string, input: object): Promise<void> {
  const operation = OPERATIONS.find((one) => one.name === name)!
  await call(ken.context({ origin: { surface: 'mcp-stdio' }, cwd: folder }), operation, input)
}

function untilFull(tables: readonly string[], budget: number): string {
  let text = ''
  for (const table of tables) {
    if (estimateTokens(text + table) > budget) break
    text += `${table}\n\n`
  }
  return text
}

/** A table is found if a part of the text begins with its name; a column if that part names it. */
function judge(text: string, { needs }: Question): { tables: number; columns: number; all: number } {
  const parts = new Map<string, string>()
  for (const part of text.split(/\n(?=## )|(?=CREATE TABLE )/)) {
    const [, name] = /^(?:## (?:\S+: )?(?:"?[\w$#]+"?\.)?|CREATE TABLE )"?([\w$#]+)"?/.exec(part) ?? []
    if (name !== undefined) parts.set(name.toUpperCase(), ` ${part.toUpperCase().replaceAll(/[^A-Z0-9_$#]+/g, ' ')} `)
  }
  const tables = [...needs.keys()].map((table) => Number(parts.has(table.toUpperCase())))
  const columns = [...needs].flatMap(([table, own]) =>
    own.map((column) => Number(parts.get(table.toUpperCase())?.includes(` ${column.toUpperCase()} `) ?? false)),
  )
  return {
    tables: mean(tables),
    columns: mean(columns),
    all: Number([...tables, ...columns].every((one) => one === 1)),
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 1 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}

function rate(share: number): string {
  return share.toFixed(3).replace(/^0/, '')
}
