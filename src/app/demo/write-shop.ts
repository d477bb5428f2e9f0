import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { installedVersion, loadOptional } from '../../kernel/system/optional-package.ts'
import { SHOP_COMMENTS, shopTables, type ShopTable } from './demo-shop.ts'

const AT_ONCE = 500

/** Writes the warehouse of the example, and returns its address for `ken init --context`. */
export async function writeShop(folder: string, today: Date): Promise<string> {
  const tables = shopTables(today)
  if (installedVersion('@duckdb/node-api') === undefined) {
    writeSqlite(join(folder, 'shop.db'), tables)
    return 'shop=sqlite:shop.db'
  }
  await writeDuckdb(join(folder, 'shop.duckdb'), tables)
  return 'shop=duckdb:shop.duckdb'
}

async function writeDuckdb(path: string, tables: readonly ShopTable[]): Promise<void> {
  const { DuckDBInstance } = await loadOptional<typeof import('@duckdb/node-api')>('@duckdb/node-api')
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  try {
    for (const sql of [...tables.flatMap(statements), ...SHOP_COMMENTS]) await connection.run(sql)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function writeSqlite(path: string, tables: readonly ShopTable[]): void {
  const database = new DatabaseSync(path)
  for (const sql of ['BEGIN', ...tables.flatMap(statements), 'COMMIT']) database.exec(sql)
  database.close()
}

const statements = ({ name, create, rows }: ShopTable): readonly string[] => [
  create,
  ...Array.from(
    { length: Math.ceil(rows.length / AT_ONCE) },
    (_, at) =>
      `INSERT INTO ${name} VALUES ${rows
        .slice(at * AT_ONCE, (at + 1) * AT_ONCE)
        .map(tuple)
        .join(', ')}`,
  ),
]

const tuple = (row: ShopTable['rows'][number]): string => `(${row.map(literal).join(', ')})`

const literal = (value: ShopTable['rows'][number][number]): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
