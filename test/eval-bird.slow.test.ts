import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseTasks, modelName, summaryLines } from '../eval/bird.ts'
import { readCsv } from '../eval/text-to-sql/csv.ts'
import { readTasks } from '../eval/text-to-sql/read-tasks.ts'
import { runTasks } from '../eval/text-to-sql/run-tasks.ts'
import { hasColumns, isSameSet } from '../eval/text-to-sql/same-rows.ts'
import { openScriptedModel, type ModelRequest, type ScriptedModel, type ScriptedStep } from './scripted-model.ts'

let root: string
let model: ScriptedModel
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'ken-bird-'))
  model = await openScriptedModel(() => 'I do not know.')
})
afterEach(async () => {
  await model.close()
  rmSync(root, { recursive: true, force: true })
})

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function makeDatabase(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  const database = new DatabaseSync(join(root, path))
  database.exec(
    "CREATE TABLE schools (id INTEGER PRIMARY KEY, name TEXT, county TEXT, pupils INTEGER); INSERT INTO schools VALUES (1, 'Elm', 'Kern', 300), (2, 'Oak', 'Kern', 500), (3, 'Ash', 'Napa', 200)",
  )
  database.close()
}

const BIRD = [
  ['simple', 'How many schools are in Kern?', '', 'SELECT COUNT(*) AS gold FROM schools WHERE county = "Kern"'],
  [
    'simple',
    'Name the largest school.',
    'largest = most pupils',
    'SELECT name AS gold FROM schools ORDER BY pupils DESC LIMIT 1',
  ],
  ['moderate', 'List schools with their pupils.', '', 'SELECT name AS gold, pupils FROM schools'],
  [
    'challenging',
    'What is the average of pupils by county?',
    '',
    'SELECT county, AVG(pupils) AS gold FROM schools GROUP BY county',
  ],
] as const

function makeBird(): void {
  makeDatabase('data/dev_databases/schools/schools.sqlite')
  write(
    'data/dev_databases/schools/database_description/schools.csv',
    '\uFEFForiginal_column_name,column_name,column_description,data_format,value_description\npupils,,"Enrolled, in autumn",integer,\n',
  )
  write(
    'data/dev.json',
    JSON.stringify(
      BIRD.map(([difficulty, question, evidence, SQL], question_id) => ({
        question_id,
        db_id: 'schools',
        question,
        evidence,
        SQL,
        difficulty,
      })),
    ),
  )
}

/**
 * Answers depending on the words of the question: two correct answers, one with an extra column, and one without a
 * query.
 */
function analyst({ user, answers }: ModelRequest): ScriptedStep {
  const statement = user.includes('in Kern')
    ? "SELECT count(id) FROM schools WHERE county = 'Kern'"
    : user.includes('largest')
      ? 'SELECT name, pupils FROM schools ORDER BY pupils DESC LIMIT 1'
      : user.includes('List schools')
        ? 'SELECT name, pupils * 1.0 FROM schools ORDER BY name'
        : undefined
  if (statement === undefined || answers.length > 0) return 'That is all I found.'
  return { call: { tool: 'execute_sql', input: { sql: statement } } }
}

const options = () => ({
  model: 'compatible:scripted',
  out: join(root, 'out'),
  threads: 2,
  environment: { PATH: process.env['PATH'], KEN_MODEL_URL: `${model.url}/v1` },
  progress: () => {},
})

/** Output of the command. */
async function printedBy(...args: readonly string[]): Promise<string> {
  const program = join(import.meta.dirname, '../eval/bird.ts')
  const { environment: env } = options()
  return (await promisify(execFile)(process.execPath, [program, ...args], { env, encoding: 'utf8' })).stdout
}

test('asks the analyst every question of BIRD, compares sets of rows, and resumes after an interruption', async () => {
  makeBird()
  const tasks = readTasks(join(root, 'data'))
  model.reply = (request) => (request.user.includes('in Kern') ? { fail: 400 } : analyst(request))
  const first = await runTasks(tasks, options())
  expect(first.results.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['1', 'wrong'],
    ['2', 'right'],
    ['3', 'no query'],
  ])
  const said = model.requests.map((request) => request.said).join('\n')
  expect(said).toContain('Hint: largest = most pupils')
  expect(said).toContain('Enrolled, in autumn')
  expect(said).not.toContain('AS gold')

  // A killed process leaves an incomplete line.
  appendFileSync(join(root, 'out/results.jsonl'), '{"id":"0","key":"')
  model.requests.length = 0
  model.reply = analyst
  const printed = await printedBy(
    '--data',
    join(root, 'data'),
    '--model',
    'compatible/scripted',
    '--out',
    options().out,
  )
  expect(new Set(model.requests.map(({ user }) => user.split('\n')[0]))).toEqual(new Set([BIRD[0][1]]))
  expect(readFileSync(join(root, 'out/results.jsonl'), 'utf8').trim().split('\n')).toHaveLength(5)
  expect(printed).toMatch(/simple +1 of 2 +50\.0 %/)
  expect(printed).toMatch(/moderate +1 of 1 +100\.0 %/)
  expect(printed).toMatch(/challenging +0 of 1 +0\.0 %/)
  expect(printed).toMatch(/all +2 of 4 +50\.0 %/)
  expect(printed).toContain('1 wrong, 1 no query, 0 refused')
})

test('stops with the reason if the provider keeps failing', async () => {
  makeBird()
  model.reply = () => ({ fail: 400 })
  const run = await runTasks(readTasks(join(root, 'data')), { ...options(), threads: 1 })
  expect(run.results).toEqual([])
  expect(run.stopped).toBeDefined()
  expect(summaryLines(run, readTasks(join(root, 'data')), options()).join('\n')).toContain(
    '4 questions of 4 not answered',
  )
})

test('asks the local questions of Spider 2.0-lite and judges them by its gold results', async () => {
  makeDatabase('data/resource/databases/spider2-localdb/Schools.sqlite')
  const entry = (instance_id: string, question: string, external_knowledge: string | null = null) =>
    JSON.stringify({ instance_id, db: 'schools', question, external_knowledge })
  write(
    'data/spider2-lite.jsonl',
    [
      entry('bq001', 'Not local'),
      entry('local001', 'List schools by size', 'size.md'),
      entry('local002', 'Size of Kern'),
    ].join('\n'),
  )
  write('data/resource/documents/size.md', 'Size is the number of pupils.')
  const gold = 'data/evaluation_suite/gold'
  write(
    `${gold}/spider2lite_eval.jsonl`,
    `{"instance_id":"local001","condition_cols":[1],"ignore_order":true}\n{"instance_id":"local002","condition_cols":[],"ignore_order":false}\n`,
  )
  write(`${gold}/exec_result/local001.csv`, 'school,pupils\nElm School,300\nOak School,500\nAsh School,200\n')
  write(`${gold}/exec_result/local002_a.csv`, 'total\n801\n')
  write(`${gold}/exec_result/local002_b.csv`, 'total\n800.001\n')
  model.reply = ({ user, answers }) => {
    const sql = user.includes('Size of Kern')
      ? "SELECT county, sum(pupils) FROM schools WHERE county = 'Kern'"
      : 'SELECT name, pupils FROM schools ORDER BY pupils'
    return answers.length > 0 ? 'Done.' : { call: { tool: 'execute_sql', input: { sql } } }
  }
  const { results } = await runTasks(readTasks(join(root, 'data')), options())
  expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['local001', 'right'],
    ['local002', 'right'],
  ])
  expect(model.requests.map((request) => request.said).join('\n')).toContain('Size is the number of pupils.')
})

test('compares rows as a set by position, and columns of Spider by content', () => {
  expect(
    isSameSet(
      [
        [1, 'a'],
        [1, 'a'],
        [2n, null],
      ],
      [
        [2, null],
        [1.0, 'a'],
      ],
    ),
  ).toBe(true)
  expect(isSameSet([[1, 'a']], [['a', 1]])).toBe(false)
  expect(isSameSet([[1]], [['1']])).toBe(false)
  expect(isSameSet([[1]], [[1, 2]])).toBe(false)
  const gold = {
    rows: [
      ['x', '1.00'],
      ['y', ''],
    ],
    columns: [],
  }
  expect(
    hasColumns(
      gold,
      [
        [1.004, 'x', 9],
        [null, 'y', 9],
      ],
      { ignoreOrder: false },
    ),
  ).toBe(true)
  expect(
    hasColumns(
      gold,
      [
        [null, 'y'],
        [1, 'x'],
      ],
      { ignoreOrder: false },
    ),
  ).toBe(false)
  expect(
    hasColumns(
      gold,
      [
        [null, 'y'],
        [1, 'x'],
      ],
      { ignoreOrder: true },
    ),
  ).toBe(true)
  expect(
    hasColumns(
      gold,
      [
        [1.1, 'x'],
        [null, 'y'],
      ],
      { ignoreOrder: false },
    ),
  ).toBe(false)
  expect(readCsv('a,"b ""c"", d"\r\n1,\n"x\ny",2')).toEqual([
    ['a', 'b "c", d'],
    ['1', ''],
    ['x\ny', '2'],
  ])
})

test('draws the same questions for the same seed, and reports missing files', () => {
  makeBird()
  const tasks = readTasks(join(root, 'data'))
  const drawn = (seed: number) => chooseTasks(tasks, { limit: 2, seed }).map(({ id }) => id)
  expect(drawn(7)).toEqual(drawn(7))
  expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => drawn(seed).join())).size).toBeGreaterThan(1)
  expect(() => readTasks(root)).toThrow(/has none of dev\.json/)
  expect([modelName('anthropic/claude-x'), modelName('ollama:qwen3/8b')]).toEqual([
    'anthropic:claude-x',
    'ollama:qwen3/8b',
  ])
})
