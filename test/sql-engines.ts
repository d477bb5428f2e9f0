import { join } from 'node:path'
import type { Warehouse } from '../src/context/ports/warehouse.ts'
import { duckdb } from '../src/context/warehouse/duckdb/index.ts'
import { mysql } from '../src/context/warehouse/mysql/index.ts'
import { postgresql } from '../src/context/warehouse/postgres/index.ts'
import { sqlite } from '../src/context/warehouse/sqlite/index.ts'
import { startPostgres } from './postgres/server.ts'
import { makeShop, ownDuckdb, ownMysql, ownPostgres, ownSqlite, type Owner } from './shop-database.ts'
import { mariadbMissing, startMariadb } from './slow/mariadb-server.ts'
import { makeVault, type Engine } from './sql-scope.ts'

export interface OpenEngine {
  readonly warehouse: Warehouse
  /** Only for a server: a DuckDB file cannot be written while it is read. */
  readonly owner: Owner | undefined
  /** The same database as another user. */
  as?(user: string, password: string): Promise<Warehouse>
  close(): Promise<void>
}

/** Why an engine is not available here; undefined if it is. */
export const engineMissing = (engine: Engine): string | undefined => (engine === 'mysql' ? mariadbMissing() : undefined)

/** Opens the shop with its vault in a real engine. */
export const openEngine = (engine: Engine, folder: string): Promise<OpenEngine> => OPENERS[engine](folder)

const OPENERS: Readonly<Record<Engine, (folder: string) => Promise<OpenEngine>>> = {
  duckdb: (folder) => openFile('duckdb', folder),
  sqlite: (folder) => openFile('sqlite', folder),
  async postgres() {
    const server = await startPostgres({ shared_preload_libraries: 'pg_stat_statements' })
    const { host, port, database, user } = server
    const owner = ownPostgres({ host, port, database, user })
    await fill(owner, 'postgres')
    const warehouse = await postgresql.open({ host, port, database, user })
    return {
      warehouse,
      owner,
      as: (other, password) => postgresql.open({ host, port, database, user: other, password }),
      close: () => closeAll(warehouse, owner, server),
    }
  },
  async mysql() {
    const server = await startMariadb()
    const { host, port, database, user } = server
    const owner = await ownMysql({ host, port, database, user })
    await fill(owner, 'mysql')
    const warehouse = await mysql.open({ host, port, database, user })
    return {
      warehouse,
      owner,
      as: (other, password) => mysql.open({ host, port, database, user: other, password }),
      close: () => closeAll(warehouse, owner, server),
    }
  },
}

async function openFile(engine: 'duckdb' | 'sqlite', folder: string): Promise<OpenEngine> {
  const path = join(folder, `shop.${engine}`)
  const owner = engine === 'duckdb' ? ownDuckdb(path) : ownSqlite(path)
  await fill(owner, engine)
  await owner.close()
  const warehouse = await (engine === 'duckdb' ? duckdb : sqlite).open({ path }, { holdsFile: true })
  return { warehouse, owner: undefined, close: () => warehouse.close() }
}

async function fill(owner: Owner, engine: Engine): Promise<void> {
  await makeShop(owner, engine)
  await makeVault(owner, engine)
}

async function closeAll(warehouse: Warehouse, owner: Owner, server: { stop(): Promise<void> }): Promise<void> {
  await warehouse.close()
  await owner.close()
  await server.stop()
}
