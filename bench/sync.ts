/**
 * How long `ken sync` takes for 500 tables of a real PostgreSQL with profiling, one at a time against several at once, and
 * what a change of ten tables costs: `node bench/sync.ts [tables] [rows] [milliseconds]`. The last adds a delay to every
 * statement, as a database at the other end of a network has.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { stringify } from 'yaml'
import { openKen } from '../src/app/open.ts'
import { call } from '../src/operations/call.ts'
import { OPERATIONS } from '../src/operations/index.ts'
import type { Operation } from '../src/operations/operation.ts'
import { delayProxy } from './delay-proxy.ts'
import { startPostgres } from '../test/slow/postgres-server.ts'

const [tables, rows, delay] = [Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 500), Number(process.argv[4] ?? 0)]
const sync = OPERATIONS.find((operation) => operation.name === 'sync_sources') as Operation
const place = mkdtempSync(join(tmpdir(), 'ken-bench-sync-'))
const server = await startPostgres()
const proxy = await delayProxy(server.port, delay)
const sql = postgres({ host: server.host, port: server.port, user: server.user, database: server.database, max: 1, onnotice: () => {} })
const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})

for (let i = 0; i < tables; i++) {
  await sql.unsafe(`CREATE TABLE t${i} AS SELECT n AS id, 'name ' || n AS name, (n * 7919 % 1000) / 10.0 AS amount, n % 3 = 0 AS paid, ('{new,paid,sent}'::text[])[1 + n % 3] AS status, timestamp '2024-01-01' + n * interval '1 hour' AS at FROM generate_series(1, ${rows}) n`)
}
await sql.unsafe('ANALYZE')
console.log(`${tables} tables of ${rows} rows in PostgreSQL${delay > 0 ? `, ${delay} ms away` : ''}`)

const [serial, ...others] = [await first(1), await first(2), await first(4)]
for (const { threads, seconds } of others) console.log(`  -t ${threads} is ${(serial!.seconds / seconds).toFixed(2)} times as fast as one at a time`)
const folder = join(place, 'threads-4')
await timed('again, nothing changed', folder, 4)
for (let i = 0; i < 10; i++) await sql.unsafe(`ALTER TABLE t${i * 3} ADD COLUMN note text`)
const before = Date.now()
const changed = await timed('after ten tables changed', folder, 4)
console.log(`  fetched again: ${changed.due.length}; folders written: ${Array.from({ length: tables }, (_, i) => i).filter((i) => statSync(join(folder, `databases/type=postgres/database=postgres/schema=public/table=t${i}/columns.md`)).mtimeMs >= before).length}`)

await ken.close()
await sql.end()
await proxy.close()
await server.stop()
rmSync(place, { recursive: true, force: true })

async function first(threads: number): Promise<{ threads: number; seconds: number }> {
  const folder = join(place, `threads-${threads}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'ken.yaml'), stringify({ name: 'bench', databases: [{ name: 'bench', type: 'postgres', host: '127.0.0.1', port: proxy.port, database: server.database, user: server.user, password: '' }] }))
  const { seconds } = await timed(`first run, -t ${threads}`, folder, threads)
  return { threads, seconds }
}

async function timed(what: string, cwd: string, threads: number): Promise<{ seconds: number; due: readonly unknown[] }> {
  const started = performance.now()
  const { output } = await call(ken.context({ origin: { surface: 'cli' }, cwd }), sync, { threads })
  const seconds = (performance.now() - started) / 1000
  const failures = output['failures'] as { message: string }[]
  if (failures.length > 0) throw new Error(failures[0]!.message)
  console.log(`  ${what.padEnd(26)} ${seconds.toFixed(2)} s`)
  return { seconds, due: output['due'] as readonly unknown[] }
}
