/**
 * Measures the memory of one `ken sql "SELECT count(*) FROM t1"` as published, beyond a bare Node process, on SQLite,
 * DuckDB, PostgreSQL and MariaDB: `npm run bench:sql [-- --tables 75 --rows 400 --copies 100 --most 200]`. Each context
 * is compiled with profiles and measured again with every table in its manifest `copies` times, because memory must not
 * grow with the context. Prints the sum of the peaks of all processes of the command, and fails above `most` MB. Linux
 * only; MariaDB is skipped if it is not installed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { startPostgres } from '../test/postgres/server.ts'
import { ownDuckdb, ownMysql, ownPostgres, ownSqlite, type Owner } from '../test/shop-database.ts'
import { mariadbMissing, startMariadb } from '../test/slow/mariadb-server.ts'
import { buildPackage } from './index/package.ts'

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '75' },
    rows: { type: 'string', default: '400' },
    copies: { type: 'string', default: '100' },
    most: { type: 'string', default: '200' },
  },
})
const [tables, rows, copies, most] = [values.tables, values.rows, values.copies, values.most].map(Number) as [
  number,
  number,
  number,
  number,
]
const EVERY_MS = 5

interface Engine {
  readonly name: string
  readonly entry: object
  readonly owner: Owner
  stop(): Promise<void>
}

const place = mkdtempSync(join(tmpdir(), 'ken-sql-bench-'))
const environment = { ...process.env, HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }
const ken = await buildPackage(join(place, 'package'))
const bare = await peakOf(['-e', 'setTimeout(() => {}, 300)'], place)
let highest = 0

console.log(`bare Node: ${bare.toFixed(0)} MB; ${tables} tables of ${rows} rows, with profiles`)
console.log(`\n| engine | MB beyond bare Node | with ${(tables * copies).toLocaleString('en-US')} tables |`)
console.log('|---|---|---|')
for (const start of [startSqlite, startDuckdb, startPostgresql, startMaria]) {
  const engine = await start()
  if (engine === undefined) continue
  try {
    const folder = await compiled(engine)
    const once = await measured(folder)
    copyTables(folder)
    const grown = await measured(folder)
    highest = Math.max(highest, once, grown)
    console.log(`| ${engine.name} | ${once.toFixed(0)} | ${grown.toFixed(0)} |`)
  } finally {
    await engine.stop()
  }
}
rmSync(place, { recursive: true, force: true })
process.exitCode = highest <= most ? 0 : 1

async function startSqlite(): Promise<Engine> {
  const path = join(place, 'bench.sqlite')
  return { name: 'SQLite', entry: { type: 'sqlite', path }, owner: ownSqlite(path), stop: async () => undefined }
}

async function startDuckdb(): Promise<Engine> {
  const path = join(place, 'bench.duckdb')
  return { name: 'DuckDB', entry: { type: 'duckdb', path }, owner: ownDuckdb(path), stop: async () => undefined }
}

async function startPostgresql(): Promise<Engine> {
  const server = await startPostgres()
  const { host, port, user, database } = server
  const entry = { type: 'postgres', host, port, user, database, password: '' }
  return { name: 'PostgreSQL', entry, owner: ownPostgres({ host, port, user, database }), stop: () => server.stop() }
}

async function startMaria(): Promise<Engine | undefined> {
  const missing = mariadbMissing()
  if (missing !== undefined) return void console.log(`MariaDB skipped: ${missing}`)
  const server = await startMariadb()
  const { host, port, user, database } = server
  const entry = { type: 'mysql', host, port, user, database }
  return { name: 'MariaDB', entry, owner: await ownMysql(entry), stop: () => server.stop() }
}

/** Fills the database, compiles its context and returns the folder. */
async function compiled({ name, entry, owner }: Engine): Promise<string> {
  const row = (n: number): string =>
    `(${n}, 'name ${n}', '${['new', 'paid', 'sent'][n % 3]}', ${n / 10}, '2026-01-${String(1 + (n % 28)).padStart(2, '0')}', '${`about ${n} `.repeat(40)}')`
  const all = Array.from({ length: rows }, (_, n) => row(n)).join(', ')
  for (let i = 0; i < tables; i++) {
    await owner.exec(
      `CREATE TABLE t${i} (id int, name varchar(100), status varchar(20), amount decimal(10, 2), day date, about text)`,
    )
    await owner.exec(`INSERT INTO t${i} VALUES ${all}`)
  }
  await owner.close()
  const folder = join(place, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'ken.yaml'), stringify({ name: 'bench', databases: [{ name: 'bench', ...entry }] }))
  for (const words of [
    ['trust', '--yes'],
    ['sync', 'sources'],
  ])
    execFileSync(process.execPath, [ken, ...words], { cwd: folder, env: environment, stdio: 'ignore' })
  return folder
}

function copyTables(folder: string): void {
  const path = join(folder, '.ken/context-manifest.jsonl')
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const copied = Array.from({ length: copies - 1 }, (_, i) =>
    lines.map((line) => line.replaceAll(/\bt\d+\b/g, `$&_${i}`)),
  )
  writeFileSync(path, `${[...lines, ...copied.flat()].join('\n')}\n`)
}

/** The highest of three. */
async function measured(folder: string): Promise<number> {
  const peaks = []
  for (let i = 0; i < 3; i++) peaks.push(await peakOf([ken, 'sql', 'SELECT count(*) FROM t1'], folder))
  return Math.max(...peaks) - bare
}

/** Sum of the peak memory of a Node process and its children, in MB. */
async function peakOf(words: readonly string[], cwd: string): Promise<number> {
  const child = spawn(process.execPath, words, { cwd, env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  const peaks = new Map<number, number>()
  const look = (pid: number): void => {
    const kilobytes = Number(/^VmHWM:\s+(\d+) kB/m.exec(readProc(`${pid}/status`))?.[1] ?? 0)
    peaks.set(pid, Math.max(kilobytes, peaks.get(pid) ?? 0))
    for (const task of tasksOf(pid))
      for (const one of readProc(`${pid}/task/${task}/children`).split(' ').filter(Boolean)) look(Number(one))
  }
  const timer = setInterval(() => look(child.pid!), EVERY_MS)
  const code = await new Promise((resolve) => child.once('exit', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${String(code)}`)
  return [...peaks.values()].reduce((sum, one) => sum + one, 0) / 1024
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'utf8')
  } catch {
    return ''
  }
}

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}
