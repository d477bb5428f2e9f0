/**
 * Measures `ken sync` for 500 tables of a real PostgreSQL with profiling, one at a time against several at once, and
 * the cost of a change to ten tables or to one row in a hundred: `node bench/sync.ts [tables] [rows] [milliseconds]`.
 * Runs once with a local server, which shares the cores with Ken, and once with every answer delayed, as from a remote
 * database. The CPU seconds are those of Ken alone. Fails if four at once are less than twice as fast as one over the
 * network, or if ten changed tables cost more than a third of all.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { stringify } from 'yaml'
import { openKen } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { startPostgres } from '../test/postgres/server.ts'
import { delayProxy } from './delay-proxy.ts'

const [tables, rows, delay] = [
  Number(process.argv[2] ?? 500),
  Number(process.argv[3] ?? 500),
  Number(process.argv[4] ?? 5),
]
const LEAST_GAIN = 2
const MOST_FOR_TEN = 1 / 3
const place = mkdtempSync(join(tmpdir(), 'ken-bench-sync-'))
const server = await startPostgres()
const proxy = await delayProxy(server.port, delay)
const sql = await new pg.Client({
  host: server.host,
  port: server.port,
  user: server.user,
  database: server.database,
}).connect()
const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})

for (let i = 0; i < tables; i++) {
  await sql.query(
    `CREATE TABLE t${i} AS SELECT n AS id, 'name ' || n AS name, (n * 7919 % 1000) / 10.0 AS amount, n % 3 = 0 AS paid, ('{new,paid,sent}'::text[])[1 + n % 3] AS status, timestamp '2024-01-01' + n * interval '1 hour' AS at FROM generate_series(1, ${rows}) n`,
  )
}
await sql.query('ANALYZE')
console.log(`${tables} tables of ${rows} rows in PostgreSQL; load ${loadavg()[0]!.toFixed(1)}`)
// The first tables pay for compilation; without a warm-up, only the serial run would include that cost.
await timed({ what: 'warm-up', cwd: project('warm-up', server.port), threads: 4 }, { only: ['bench:*.t1?'] })

const here = await runAll('here', server.port)
const far = await runAll(`${delay} ms away`, proxy.port)
const folder = join(place, 'here, -t 4')
await timed({ what: 'again, nothing changed', cwd: folder, threads: 4 })
for (let i = 0; i < 10; i++) await sql.query(`ALTER TABLE t${i * 3} ADD COLUMN note text`)
const before = Date.now()
const changed = await timed({ what: 'after ten tables changed', cwd: folder, threads: 4 })
const written = Array.from({ length: tables }, (_, i) => i).filter(
  (i) =>
    statSync(join(folder, `databases/type=postgres/database=postgres/schema=public/table=t${i}/columns.md`)).mtimeMs >=
    before,
).length
console.log(
  `  fetched again: ${changed.due.length}; folders written: ${written}; ${(changed.seconds / here.at(-1)!).toFixed(2)} of a full sync`,
)
const few = Math.max(1, Math.round(tables / 100))
for (let i = 0; i < few; i++) await sql.query(`UPDATE t${i * 7} SET amount = amount + 1`)
const rowsOfFew = await timed({ what: `1 % of rows, in ${few} tables`, cwd: folder, threads: 4 })
console.log(`  fetched again: ${rowsOfFew.due.length}; ${(rowsOfFew.seconds / here.at(-1)!).toFixed(2)} of a full sync`)
for (let i = 0; i < tables; i++) await sql.query(`UPDATE t${i} SET amount = amount + 1 WHERE id % 100 = 0`)
const rowsOfAll = await timed({ what: '1 % of rows, in every table', cwd: folder, threads: 4 })
console.log(`  fetched again: ${rowsOfAll.due.length}; ${(rowsOfAll.seconds / here.at(-1)!).toFixed(2)} of a full sync`)
await timed({ what: 'again, nothing changed', cwd: folder, threads: 4 })
console.log(`load ${loadavg()[0]!.toFixed(1)}`)

await ken.close()
await sql.end()
await proxy.close()
await server.stop()
rmSync(place, { recursive: true, force: true })
const isGood =
  far[0]! / far.at(-1)! >= LEAST_GAIN &&
  changed.due.length === 10 &&
  rowsOfFew.due.length === few &&
  rowsOfAll.due.length === tables &&
  written === 10 &&
  changed.seconds / here.at(-1)! <= MOST_FOR_TEN
process.exitCode = isGood ? 0 : 1

/** Returns the seconds of a first sync with one, two and four threads. */
async function runAll(where: string, port: number): Promise<readonly number[]> {
  const all: number[] = []
  for (const threads of [1, 2, 4]) {
    const { seconds } = await timed({
      what: `first run, ${where}, -t ${threads}`,
      cwd: project(`${where}, -t ${threads}`, port),
      threads,
    })
    all.push(seconds)
    if (threads > 1) console.log(`    ${(all[0]! / seconds).toFixed(2)} times as fast as one at a time`)
  }
  return all
}

function project(name: string, port: number): string {
  const folder = join(place, name)
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'ken.yaml'),
    stringify({
      name: 'bench',
      databases: [
        {
          name: 'bench',
          type: 'postgres',
          host: '127.0.0.1',
          port,
          database: server.database,
          user: server.user,
          password: '',
        },
      ],
    }),
  )
  return folder
}

async function timed(
  { what, cwd, threads }: { what: string; cwd: string; threads: number },
  more: object = {},
): Promise<{ seconds: number; due: readonly unknown[] }> {
  await run('trust', cwd, { yes: true })
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  const output = await run('sync_sources', cwd, { threads, ...more })
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const failures = output['failures'] as { message: string }[]
  if (failures.length > 0) throw new Error(failures[0]!.message)
  console.log(`  ${what.padEnd(28)} ${seconds.toFixed(2).padStart(6)} s, CPU ${((user + system) / 1e6).toFixed(2)} s`)
  return { seconds, due: output['due'] as readonly unknown[] }
}

async function run(name: string, cwd: string, input: object): Promise<Record<string, unknown>> {
  return (
    await call(
      ken.context({ origin: { surface: 'cli' }, cwd }),
      OPERATIONS.find((operation) => operation.name === name)!,
      input,
    )
  ).output
}
