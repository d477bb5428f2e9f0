import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duckdb } from '../src/adapters/warehouse-duckdb/index.ts'
import { mysql } from '../src/adapters/warehouse-mysql/index.ts'
import { postgresql } from '../src/adapters/warehouse-postgres/index.ts'
import { sqlite } from '../src/adapters/warehouse-sqlite/index.ts'
import type { Warehouse } from '../src/ports/warehouse.ts'
import { makeShop, ownDuckdb, ownMysql, ownPostgres, ownSqlite, type Owner } from '../test/shop-database.ts'
import { mariadbMissing, startMariadb } from '../test/slow/mariadb-server.ts'
import { startPostgres } from '../test/slow/postgres-server.ts'
import { judgeCorpus, type CorpusReport } from '../test/sql-corpus.ts'

// Runs the corpus of test/fixtures/sql against the real engines and prints how often the gate was wrong. Exit code 1 when it was.
const folder = mkdtempSync(join(tmpdir(), 'ken-gate-'))
const reports: CorpusReport[] = []
try {
  reports.push(await judgeFile('duckdb', ownDuckdb, duckdb))
  reports.push(await judgeFile('sqlite', ownSqlite, sqlite))
  reports.push(await judgePostgres())
  const missing = mariadbMissing()
  if (missing) console.log(`mysql left out: ${missing}`)
  else reports.push(await judgeMariadb())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log('dialect    allowed  refused  false refusals  false allows  changes')
for (const { dialect, allowed, refused, falseRefusals, falseAllows, changes } of reports) {
  const cells = [
    String(allowed).padStart(7),
    String(refused).padStart(8),
    String(falseRefusals.length).padStart(15),
    String(falseAllows.length).padStart(13),
    String(changes.length).padStart(8),
  ]
  console.log(`${dialect.padEnd(10)} ${cells.join(' ')}`)
  for (const line of [...falseRefusals, ...falseAllows, ...changes]) console.log(`    ${line}`)
}
process.exitCode = reports.some((report) => report.falseRefusals.length + report.falseAllows.length + report.changes.length > 0) ? 1 : 0

async function judgeFile(
  dialect: string,
  own: (path: string) => Owner,
  type: { open(connection: { path: string }): Promise<Warehouse> },
): Promise<CorpusReport> {
  const path = join(folder, `shop.${dialect}`)
  const owner = own(path)
  await makeShop(owner, dialect)
  await owner.close()
  return judge(await type.open({ path }))
}

async function judgePostgres(): Promise<CorpusReport> {
  const server = await startPostgres({ shared_preload_libraries: 'pg_stat_statements' })
  const { host, port, database, user } = server
  const owner = ownPostgres({ host, port, database, user })
  try {
    await makeShop(owner, 'postgres')
    return await judge(await postgresql.open({ host, port, database, user }))
  } finally {
    await owner.close()
    await server.stop()
  }
}

async function judgeMariadb(): Promise<CorpusReport> {
  const server = await startMariadb()
  const { host, port, database, user } = server
  const owner = await ownMysql({ host, port, database, user })
  try {
    await makeShop(owner, 'mysql')
    return await judge(await mysql.open({ host, port, database, user }))
  } finally {
    await owner.close()
    await server.stop()
  }
}

async function judge(warehouse: Warehouse): Promise<CorpusReport> {
  try {
    return await judgeCorpus(warehouse, folder)
  } finally {
    await warehouse.close()
  }
}
