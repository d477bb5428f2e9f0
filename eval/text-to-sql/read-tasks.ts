import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readCsv } from './csv.ts'
import { hasColumns, isSameSet, type GoldTable, type Rows } from './same-rows.ts'

/** A question about a SQLite database, with the criterion for its answer. */
export interface Task {
  readonly id: string
  readonly database: string
  /** The database file. */
  readonly path: string
  /** Folder with a CSV file of column descriptions for each table, if the set has one. */
  readonly descriptions?: string
  readonly question: string
  readonly evidence: string
  readonly difficulty: string
  /** The expected answer as text; a stored result counts only for the same text. */
  readonly gold: string
  isRight(found: Rows): boolean
}

const BIRD_FILES = ['dev.json', 'mini_dev_sqlite.json']
const SPIDER_FILE = 'spider2-lite.jsonl'

/** Tasks of BIRD (dev or mini-dev) or the local part of Spider 2.0-lite. Throws if the folder has neither. */
export function readTasks(data: string): readonly Task[] {
  const bird = BIRD_FILES.map((file) => join(data, file)).find(existsSync)
  if (bird !== undefined) return readBird(data, bird)
  if (existsSync(join(data, SPIDER_FILE))) return readSpider(data)
  throw new Error(
    `${data} has none of ${[...BIRD_FILES, SPIDER_FILE].join(', ')}: name the unpacked folder with --data.`,
  )
}

interface BirdEntry {
  readonly question_id?: number
  readonly db_id: string
  readonly question: string
  readonly evidence?: string
  readonly SQL: string
  readonly difficulty?: string
}

function readBird(data: string, file: string): readonly Task[] {
  const entries = JSON.parse(readFileSync(file, 'utf8')) as readonly BirdEntry[]
  return entries.map(({ question_id: id, db_id: database, question, evidence = '', SQL, difficulty }, at) => {
    const folder = join(data, 'dev_databases', database)
    const path = join(folder, `${database}.sqlite`)
    return {
      id: String(id ?? at),
      database,
      path,
      descriptions: join(folder, 'database_description'),
      question,
      evidence,
      difficulty: difficulty ?? 'all',
      gold: SQL,
      isRight: (found) => isSameSet(runGold(path, SQL), found),
    }
  })
}

/** Runs a gold statement on the file itself: the set's authors wrote it, and the gate judges only the analyst's. */
function runGold(path: string, sql: string): Rows {
  const database = new DatabaseSync(path, { readOnly: true, enableDoubleQuotedStringLiterals: true })
  try {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    statement.setReadBigInts(true)
    return statement.all() as unknown as Rows
  } finally {
    database.close()
  }
}

interface SpiderEntry {
  readonly instance_id: string
  readonly db: string
  readonly question: string
  readonly external_knowledge?: string | null
}

interface SpiderStandard {
  readonly instance_id: string
  readonly condition_cols?: readonly (number | readonly number[])[] | null
  readonly ignore_order?: boolean
}

// `ken ask` accepts at most 20,000 characters.
const LONGEST_KNOWLEDGE = 15_000

function readSpider(data: string): readonly Task[] {
  const gold = join(data, 'evaluation_suite/gold')
  const databases = join(data, 'resource/databases/spider2-localdb')
  const files = namesIn(join(gold, 'exec_result'))
  const standards = new Map(
    readLines<SpiderStandard>(join(gold, 'spider2lite_eval.jsonl')).map((one) => [one.instance_id, one]),
  )
  const names = namesIn(databases)
  return readLines<SpiderEntry>(join(data, SPIDER_FILE))
    .filter(({ instance_id: id }) => id.startsWith('local') && standards.has(id))
    .map(({ instance_id: id, db, question, external_knowledge: document }) => {
      const { condition_cols: columns, ignore_order: ignoreOrder = false } = standards.get(id)!
      const own = files.filter((name) => name === `${id}.csv` || (name.startsWith(`${id}_`) && name.endsWith('.csv')))
      const file = names.find((name) => name.toLowerCase() === `${db}.sqlite`.toLowerCase()) ?? `${db}.sqlite`
      return {
        id,
        database: db,
        path: join(databases, file),
        question,
        evidence: document == null ? '' : textAt(join(data, 'resource/documents', document)),
        difficulty: 'local',
        gold: own.join(' '),
        isRight: (found) =>
          own.some((name, at) =>
            hasColumns(goldTable(join(gold, 'exec_result', name), columnsFor(columns, at)), found, { ignoreOrder }),
          ),
      }
    })
}

/** One list of columns for all gold results, or one list for each. */
function columnsFor(given: SpiderStandard['condition_cols'], at: number): readonly number[] {
  const list = given ?? []
  return list.some(Array.isArray) ? ((list[at] ?? []) as readonly number[]) : (list as readonly number[])
}

function goldTable(path: string, columns: readonly number[]): GoldTable {
  const [, ...rows] = readCsv(readFileSync(path, 'utf8'))
  return { rows, columns }
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])

const textAt = (path: string): string =>
  existsSync(path) ? readFileSync(path, 'utf8').slice(0, LONGEST_KNOWLEDGE) : ''

const readLines = <T>(path: string): readonly T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
