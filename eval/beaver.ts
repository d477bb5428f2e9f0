/**
 * Measures table search on a real enterprise's schema (BEAVER: 463 tables of six databases, questions with the tables
 * they need): `npm run eval:beaver -- --data <folder>`. The tables are created in SQLite from names, types and keys
 * alone, without rows; `ken sync` compiles them, and `list_tables` is called with each question: needed tables among
 * ten, and questions with all of them, beside plain BM25 in the same run. Joins suggested by names are compared with
 * the known ones of the warehouse, which declares no keys.
 *
 * Constants were chosen on one half of the questions (by a hash of their ids); the other half is printed beside it.
 * Exits with 1 if an aim is missed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openKen, type Ken } from '../src/app/open.ts'
import { parseEntry, type CompiledTable } from '../src/context/domain/context-project/manifest.ts'
import { QUERY_STOP_WORDS } from '../src/kernel/domain/text/decision-tokens.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { rankBm25 } from '../src/retrieval/domain/ranking/bm25.ts'
import {
  beaverFolder,
  goldTables,
  hasBeaver,
  isKeptBackId,
  makeBeaver,
  readBeaver,
  tableId,
  type BeaverQuestion,
  type BeaverTable,
} from './beaver-project.ts'
import { HALVES, type Figure, type Half, type SuiteOptions } from './suite.ts'

const AMONG = 10
/** Minimum shares per database: needed tables found among ten, and questions with all needed tables found. */
const AIMS = { dw: [0.85, 0.6], nw: [0.7, 0.4] } as const

const SOURCES = ['dw', 'nw'] as const
const HEAD = ['tuned', 'kept back', 'all'] as const

interface Desk {
  readonly data: string
  readonly place: string
  readonly ken: Ken
  readonly tables: readonly BeaverTable[]
  readonly questions: readonly BeaverQuestion[]
}

type Ranks = Readonly<Record<'Ken' | 'BM25', ReadonlyMap<string, readonly string[]>>>

export async function beaverFigures(options: SuiteOptions): Promise<Figure[]> {
  if (!hasBeaver(options)) return []
  return withDesk(options.data, async (desk) => {
    await run(desk, 'sync_sources', {})
    const ranks = { Ken: await askKen(desk), BM25: askWords(desk) }
    return SOURCES.flatMap((source) =>
      HALVES.flatMap((half) => {
        const [own, words] = [shareOf(desk, ranks.Ken, source, half), shareOf(desk, ranks.BM25, source, half)]
        return ['needed tables among ten', 'questions with all of them'].map((measure, i): Figure => ({
          set: source === 'dw' ? 'BEAVER, warehouse' : 'BEAVER, cloud',
          half,
          measure,
          value: own[i]!,
          better: 'higher',
          peer: { name: 'plain BM25', value: words[i]! },
          tolerance: 0.02,
        }))
      }),
    )
  })
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { data: { type: 'string' }, misses: { type: 'boolean', default: false } } })
  await withDesk(values.data, async (desk) => {
    const { tokens, files } = (await run(desk, 'sync_sources', {})) as { tokens: number; files: number }
    console.log(`${desk.tables.length} tables compiled into ${files} files of ${tokens.toLocaleString('en')} tokens`)
    const good = await showQuestions(desk, values.misses)
    showJoins(desk)
    process.exitCode = good ? 0 : 1
  })
}

async function withDesk<T>(from: string | undefined, work: (desk: Desk) => Promise<T>): Promise<T> {
  const data = beaverFolder(from)
  const tables = Object.values(readBeaver<Record<string, BeaverTable>>(data, 'tables.json'))
  const questions = readBeaver<BeaverQuestion[]>(data, 'questions.json')
  const place = mkdtempSync(join(tmpdir(), 'ken-eval-beaver-'))
  const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
  try {
    makeBeaver(place, tables)
    return await work({ data, place, ken, tables, questions })
  } finally {
    await ken.close()
    rmSync(place, { recursive: true, force: true })
  }
}

/** Returns the share of needed tables found among ten, and the share of questions with all of them found. */
function shareOf({ questions }: Desk, found: Ranks['Ken'], source: string, half: Half): readonly [number, number] {
  const shares = questions
    .filter((one) => one.source === source && (half === 'all' || isKeptBackId(one.id) === (half === 'kept back')))
    .map((one) => mean(goldTables(one).map((table) => Number(found.get(one.id)!.includes(table)))))
  return [mean(shares), mean(shares.map((one) => Number(one === 1)))]
}

async function showQuestions(desk: Desk, isMissesShown: boolean): Promise<boolean> {
  const { questions } = desk
  const started = performance.now()
  const ranks: Ranks = { Ken: await askKen(desk), BM25: askWords(desk) }
  console.log(`${((performance.now() - started) / questions.length).toFixed(0)} ms a question`)
  let met = true
  console.log(
    `\n${'needed tables among ten, all of them'.padEnd(40)}${HEAD.map((half) => half.padStart(14)).join('')}   aim`,
  )
  for (const source of SOURCES) {
    for (const [name, found] of Object.entries(ranks)) {
      const parts = HEAD.map((half) => shareOf(desk, found, source, half))
      const [aim, whole] = AIMS[source]
      if (name === 'Ken') met &&= parts[2]![0] >= aim && parts[2]![1] >= whole
      const count = questions.filter((one) => one.source === source).length
      console.log(
        `${`${source} (${count} questions), ${name}`.padEnd(40)}${parts.map((part) => part.map(rate).join(' ').padStart(14)).join('')}   ${name === 'Ken' ? `${rate(aim)} ${rate(whole)}` : ''}`,
      )
    }
  }
  if (isMissesShown) {
    for (const question of questions.filter(({ id }) => !isKeptBackId(id))) {
      const got = ranks.Ken.get(question.id)!
      const missed = goldTables(question).filter((table) => !got.includes(table))
      if (missed.length > 0)
        console.log(`${question.id} ${question.question}\n  missed ${missed.join(', ')}\n  found ${got.join(', ')}`)
    }
  }
  return met
}

async function askKen(desk: Desk): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const { id, question } of desk.questions) {
    const output = (await run(desk, 'list_tables', { question, limit: AMONG })) as {
      tables: { database: string; table: string }[]
    }
    found.set(
      id,
      output.tables.map(({ database, table }) => tableId(database, table.split('.').at(-1)!)),
    )
  }
  return found
}

/** Ranks the tables by BM25: names split into words, the table name counted twice, k1 1.2, b 0.75. */
function askWords({ tables, questions }: Desk): ReadonlyMap<string, readonly string[]> {
  const apart = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])|_/g, '$1 $2')
  const documents = tables.map(({ table_name_original: name, column_names_original: columns }) =>
    [name, name, ...columns].map(apart).join(' '),
  )
  return new Map(
    questions.map(({ id, question }) => {
      const ranked = rankBm25(documents, question.replaceAll(/\S*\d\S*/g, ' '), {
        stopWords: QUERY_STOP_WORDS,
        limit: AMONG,
      })
      return [id, ranked.map(({ index }) => tableId(tables[index]!.db_id, tables[index]!.table_name_original))]
    }),
  )
}

function showJoins({ data, place }: Desk): void {
  const known = readBeaver<[string, string][]>(data, 'join-keys.json').map(([one, other]) => pairOf(one, other))
  const lines = readFileSync(join(place, '.ken/context-manifest.jsonl'), 'utf8').split('\n')
  const compiled = lines.flatMap((line) => parseEntry(line)?.table ?? [])
  const warehouse = compiled.filter(({ connection }) => connection === 'dw')
  const inferred = warehouse.flatMap(joinsOf)
  const listed = new Set(inferred.map(({ from, to }) => pairOf(from, to)))
  const refers = Map.groupBy(
    inferred.filter(({ why }) => why === 'name' || why === 'key'),
    ({ from }) => from,
  )
  const targets = (place: string): readonly string[] => [place, ...(refers.get(place) ?? []).map(({ to }) => to)]
  const isImplied = (pair: string): boolean => {
    const [one = '', other = ''] = pair.split(' = ')
    return targets(one).some((target) => targets(other).includes(target))
  }
  const distinct = [...new Set(known)]
  const found = (pairs: readonly string[], has: (pair: string) => boolean): string =>
    `${rate(pairs.filter(has).length / pairs.length)} of ${pairs.length.toLocaleString('en')}`
  console.log(`\njoins of dw that names suggest: ${listed.size}`)
  console.log(
    `  known ones found: ${found(known, (pair) => listed.has(pair))} (${found(distinct, (pair) => listed.has(pair))} different)`,
  )
  console.log(
    `  found or through the table both refer to: ${found(known, (pair) => listed.has(pair) || isImplied(pair))} (${found(distinct, (pair) => listed.has(pair) || isImplied(pair))} different)`,
  )
  const set = new Set(known)
  for (const [name, of] of [
    ['all', () => true],
    ['named after the table they refer to', (why: string) => why === 'name' || why === 'key'],
  ] as const) {
    const some = [...new Set(inferred.filter(({ why }) => of(why)).map(({ from, to }) => pairOf(from, to)))]
    console.log(
      `  precision, ${name}: ${rate(some.filter((pair) => set.has(pair)).length / Math.max(1, some.length))} of ${some.length}`,
    )
  }
}

function joinsOf(table: CompiledTable): readonly { from: string; to: string; why: string }[] {
  return (table.inferred_joins ?? []).map((join) => ({
    from: `${table.name}.${join.column}`.toUpperCase(),
    to: `${join.table.split('.').at(-1)}.${join.referenced}`.toUpperCase(),
    why: join.why,
  }))
}

function pairOf(one: string, other: string): string {
  return [one, other]
    .map((name) => name.toUpperCase())
    .toSorted()
    .join(' = ')
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length)
}

function rate(share: number): string {
  return share.toFixed(3).replace(/^0/, '')
}

async function run({ ken, place }: Desk, name: string, input: object): Promise<Record<string, unknown>> {
  const operation = OPERATIONS.find((one) => one.name === name)!
  return (await call(ken.context({ origin: { surface: 'cli' }, cwd: place }), operation, input)).output
}
