/**
 * Measures whether an aggregate over no rows is distinguished from a result: `npm run -s eval -- --only empty`.
 * Statements in the shapes that analysts write (joins, subqueries, CTEs, shares by CASE, ratios of two counts) run on a
 * racing archive in SQLite with a value in another case, with a typo, by one of its words, or a value that no row has;
 * and the same statements with the right value, and sums that really are 0. Half of the statements are held out, by a
 * hash. `node eval/empty.ts` prints the misses of the other half.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stringify } from 'yaml'
import { openKen } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { isKeptBack } from './company/random.ts'
import { HALVES, type Figure } from './suite.ts'

interface Statement {
  readonly sql: string
  /** The stored value that the statement meant; undefined if there is none, or if the statement already contains it. */
  readonly meant: string | undefined
  readonly isEmpty: boolean
}

interface Judged extends Statement {
  readonly notes: string
}

export async function emptyFigures(): Promise<Figure[]> {
  const judged = await runAll()
  return HALVES.flatMap((half) => {
    const own = judged.filter(({ sql }) => isKeptBack(sql) === (half === 'kept back'))
    const figure = (measure: string, of: readonly Judged[], is: (one: Judged) => boolean): Figure => ({
      set: 'statements on a racing archive',
      half,
      measure,
      value: of.filter(is).length,
      of: of.length,
      better: measure.startsWith('results') ? 'lower' : 'higher',
    })
    return MEASURES.map(([measure, counts, holds]) => figure(measure, own.filter(counts), holds))
  })
}

const MEASURES: readonly (readonly [string, (one: Judged) => boolean, (one: Judged) => boolean])[] = [
  ['aggregates over nothing noticed', ({ isEmpty }) => isEmpty, ({ notes }) => notes !== ''],
  [
    'the value that was meant named',
    ({ meant }) => meant !== undefined,
    ({ notes, meant }) => notes.includes(`'${meant}'`),
  ],
  ['results with rows called empty', ({ isEmpty }) => !isEmpty, ({ notes }) => notes !== ''],
]

const SURNAMES =
  'Hamilton Rosberg Alonso Kovalainen Nakajima Bourdais Raikkonen Kubica Glock Sato Massa Coulthard Trulli Sutil Webber Button Davidson Vettel Fisichella Barrichello'.split(
    ' ',
  )
const CIRCUITS =
  'Albert Park Circuit;Sepang Track;Bahrain Oval;Istanbul Park;Monaco Streets;Magny Cours;Silverstone Circuit;Hockenheim Ring;Hungaro Ring;Valencia Streets'.split(
    ';',
  )
const COUNTRIES = 'Australia Malaysia Bahrain Turkey Monaco France Germany Hungary Spain Britain'.split(' ')
const NATIONS = 'British German Spanish Finnish Japanese French Polish Brazilian Italian'.split(' ')
const STATUS = ['Finished', 'Collision', 'Engine failure', 'Gearbox', 'Did not start']

function fill(path: string): void {
  const database = new DatabaseSync(path)
  database.exec(`BEGIN;
    CREATE TABLE drivers (driver_id INTEGER PRIMARY KEY, surname TEXT, nation TEXT, cars INTEGER);
    CREATE TABLE circuits (circuit_id INTEGER PRIMARY KEY, title TEXT, country TEXT);
    CREATE TABLE races (race_id INTEGER PRIMARY KEY, season INTEGER, circuit_id INTEGER REFERENCES circuits);
    CREATE TABLE results (result_id INTEGER PRIMARY KEY, race_id INTEGER REFERENCES races,
      driver_id INTEGER REFERENCES drivers, points INTEGER, penalty INTEGER, status TEXT)`)
  const all = (table: string, rows: readonly (readonly (string | number)[])[]): void => {
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${rows[0]!.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(...row)
  }
  all(
    'drivers',
    Array.from({ length: 240 }, (_, i) => [
      i + 1,
      i < 20 ? SURNAMES[i]! : `${SURNAMES[i % 20]}${'abcdefghijkl'[Math.floor(i / 20)]}`,
      NATIONS[i % 9]!,
      (i % 3) + 1,
    ]),
  )
  all(
    'circuits',
    CIRCUITS.map((title, i) => [i + 1, title, COUNTRIES[i]!]),
  )
  all(
    'races',
    Array.from({ length: 100 }, (_, i) => [i + 1, 2001 + (i % 20), (i % 10) + 1]),
  )
  // Every driver and status has points; penalties are all 0, so their sum is a real 0.
  all(
    'results',
    Array.from({ length: 2_400 }, (_, i) => [i + 1, (i % 100) + 1, (i % 240) + 1, 1 + (i % 7), 0, STATUS[i % 5]!]),
  )
  database.exec('COMMIT')
  database.close()
}

/** A text column, with the join from results to its table. */
const PLACES = [
  { table: 'drivers', column: 'surname', values: SURNAMES, join: 'JOIN drivers x ON x.driver_id = r.driver_id' },
  { table: 'drivers', column: 'nation', values: NATIONS, join: 'JOIN drivers x ON x.driver_id = r.driver_id' },
  {
    table: 'circuits',
    column: 'title',
    values: CIRCUITS,
    join: 'JOIN races y ON y.race_id = r.race_id JOIN circuits x ON x.circuit_id = y.circuit_id',
  },
  {
    table: 'circuits',
    column: 'country',
    values: COUNTRIES,
    join: 'JOIN races y ON y.race_id = r.race_id JOIN circuits x ON x.circuit_id = y.circuit_id',
  },
  { table: 'results', column: 'status', values: STATUS, join: 'JOIN results x ON x.result_id = r.result_id' },
] as const

type Shape = (place: (typeof PLACES)[number], value: string) => string
const SHAPES: readonly Shape[] = [
  ({ table, column }, v) => `SELECT count(*) FROM ${table} WHERE ${column} = '${v}'`,
  ({ column, join }, v) => `SELECT sum(r.points) FROM results r ${join} WHERE x.${column} = '${v}'`,
  ({ column, join }, v) => `SELECT avg(r.points), max(r.points) FROM results AS r ${join} WHERE x.${column} = '${v}'`,
  ({ column, join }, v) =>
    `SELECT count(DISTINCT r.race_id) AS races FROM results r ${join} WHERE x.${column} = '${v}' AND r.points > 0`,
  ({ column, join }, v) =>
    `SELECT CAST(sum(CASE WHEN x.${column} = '${v}' THEN 1 ELSE 0 END) AS REAL) * 100 / count(*) FROM results r ${join}`,
  ({ column, join }, v) => `SELECT count(CASE WHEN x.${column} = '${v}' THEN 1 END) AS n FROM results r ${join}`,
  ({ table, column }, v) =>
    `SELECT (SELECT count(*) FROM ${table} WHERE ${column} = '${v}') * 100.0 / (SELECT count(*) FROM ${table}) AS share`,
  ({ column, join }, v) =>
    `WITH own AS (SELECT r.points FROM results r ${join} WHERE x.${column} = '${v}') SELECT count(*), sum(points) FROM own`,
  ({ column, join }, v) =>
    `SELECT avg(n) FROM (SELECT count(*) AS n FROM results r ${join} WHERE x.${column} = '${v}' GROUP BY r.race_id) AS per_race`,
  ({ column, join }, v) => `SELECT coalesce(sum(r.points), 0) FROM results r ${join} WHERE x.${column} IN ('${v}')`,
  ({ column, join }, v) =>
    `SELECT count(*) FROM results WHERE result_id IN (SELECT r.result_id FROM results r ${join} WHERE x.${column} = '${v}')`,
  ({ column, join }, v) =>
    `SELECT r.race_id, sum(r.points) FROM results r ${join} WHERE x.${column} = '${v}' GROUP BY r.race_id HAVING sum(r.points) > 0`,
  ({ table, column }, v) => `SELECT count(*) FROM ${table} WHERE ${column} LIKE '${v}'`,
  ({ column, join }, v) => `SELECT sum(r.points) FILTER (WHERE x.${column} = '${v}') FROM results r ${join}`,
  ({ column, join }, v) =>
    `SELECT round(sum(r.points) * 1.0 / count(*), 2) FROM results r ${join} WHERE x.${column} = '${v}'`,
  ({ column, join }, v) => `SELECT sum(iif(x.${column} = '${v}', r.points, 0)) AS points FROM results r ${join}`,
]

/** Ways to write a value that no row has, and whether it can mean the stored value. */
const WRONG: readonly ((value: string) => readonly [said: string, isMeant: boolean])[] = [
  (value) => [value.toLowerCase(), true],
  (value) => [value.toUpperCase(), true],
  (value) => [value.slice(0, 3) + value.slice(4), true],
  (value) => [value.split(' ')[0]!.slice(0, -1), false],
  () => ['Atlantis Gp', false],
]

function statements(): readonly Statement[] {
  return SHAPES.flatMap((shape, s) =>
    PLACES.flatMap((place, p): Statement[] => {
      const value = place.values[(s * 3 + p) % place.values.length]!
      const [said, isMeant] = WRONG[(s + p) % WRONG.length]!(value)
      // SQLite's LIKE is case-insensitive.
      const isSame = shape(place, '').includes('LIKE') && said.toLowerCase() === value.toLowerCase()
      return [
        { sql: shape(place, said), meant: isMeant && !isSame ? value : undefined, isEmpty: !isSame },
        { sql: shape(place, value), meant: undefined, isEmpty: false },
        { sql: shape(place, value).replaceAll('points', 'penalty'), meant: undefined, isEmpty: false },
      ].filter(({ sql, isEmpty }) => isEmpty || !/penalty > 0|sum\(r\.penalty\) > 0/.test(sql))
    }),
  )
}

async function runAll(): Promise<readonly Judged[]> {
  const place = mkdtempSync(join(tmpdir(), 'ken-eval-empty-'))
  const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
  const folder = join(place, 'project')
  const run = async (name: string, input: object): Promise<Record<string, unknown>> => {
    const context = ken.context({ origin: { surface: 'mcp-stdio' }, cwd: folder })
    return (
      await call(
        context,
        OPERATIONS.find((one) => one.name === name)!,
        input,
      )
    ).output
  }
  try {
    mkdirSync(folder)
    fill(join(folder, 'races.db'))
    const databases = [{ name: 'races', type: 'sqlite', path: 'races.db' }]
    writeFileSync(join(folder, 'ken.yaml'), stringify({ name: 'races', databases }))
    await run('sync_sources', {})
    const judged: Judged[] = []
    for (const one of new Map(statements().map((each) => [each.sql, each])).values()) {
      const { notes, refused } = await run('execute_sql', { sql: one.sql })
      if (refused !== undefined) throw new Error(`${one.sql}: ${JSON.stringify(refused)}`)
      judged.push({ ...one, notes: (notes as readonly string[]).join(' ') })
    }
    return judged
  } finally {
    await ken.close()
    rmSync(place, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const judged = await runAll()
  for (const half of HALVES) {
    const own = judged.filter(({ sql }) => isKeptBack(sql) === (half === 'kept back'))
    for (const [measure, counts, holds] of MEASURES) {
      const of = own.filter(counts)
      console.log(`${half.padEnd(10)} ${measure.padEnd(34)} ${of.filter(holds).length} of ${of.length}`)
    }
  }
  const own = judged.filter(({ sql }) => !isKeptBack(sql))
  for (const [measure, counts, holds] of MEASURES)
    for (const one of own.filter(counts))
      if (holds(one) === measure.startsWith('results')) console.log(`  ${measure}: ${one.sql} (${one.notes})`)
}
