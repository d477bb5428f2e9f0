import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A number from 0 to below `most`. */
export type Random = (most: number) => number

export interface Poke {
  readonly name: string
  readonly log: 'empty' | 'full'
  /** Damages the index at `path`, which is not open. */
  do(path: string, chance: Random): void
}

const PAGE = 8192

const bytes = (name: string, damage: (data: Buffer, chance: Random) => void): Poke => ({
  name,
  log: 'empty',
  do(path, chance) {
    const data = readFileSync(path)
    damage(data, chance)
    writeFileSync(path, data)
  },
})

const flip = (data: Buffer, chance: Random, count: number) => {
  for (let i = 0; i < count; i++) data[chance(data.length)]! ^= 1 + chance(255)
}
const pageOf = (data: Buffer, chance: Random): Buffer => {
  const at = chance(data.length / PAGE) * PAGE
  return data.subarray(at, at + PAGE)
}

const sql = (name: string, damage: (database: DatabaseSync, chance: Random) => void): Poke => ({
  name,
  log: 'empty',
  do(path, chance) {
    const database = new DatabaseSync(path)
    damage(database, chance)
    database.close()
  },
})

const log = (name: string, damage: (path: string, chance: Random) => void): Poke => ({ name, log: 'full', do: damage })

function objects(database: DatabaseSync, type: 'table' | 'index'): string[] {
  return database
    .prepare('SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL ORDER BY name')
    .all(type)
    .map(({ name }) => String(name))
}

function withRow(database: DatabaseSync, chance: Random, work: (table: string, where: string) => void): void {
  const tables = objects(database, 'table').filter(
    (table) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!['n']) > 0,
  )
  const table = tables[chance(tables.length)]!
  const keys = { removed: 'first', shelf: 'embedder' } as Record<string, string>
  const key = keys[table] ?? 'rowid'
  const rows = database.prepare(`SELECT ${key} AS k FROM ${table}`).all()
  const value = rows[chance(rows.length)]!['k']
  work(table, `${key} = ${typeof value === 'number' ? value : `'${String(value)}'`}`)
}

function changeColumn(database: DatabaseSync, chance: Random): void {
  withRow(database, chance, (table, where) => {
    const columns = database
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name))
    const column = columns[chance(columns.length)]!
    const old = database.prepare(`SELECT ${column} AS v FROM ${table} WHERE ${where}`).get()!['v']
    const value =
      typeof old === 'number'
        ? old + 1 + chance(3)
        : old instanceof Uint8Array
          ? old.map((byte, i) => (i === 0 ? byte ^ 4 : byte))
          : typeof old === 'string'
            ? `${old}x`
            : 'x'
    try {
      database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(value)
    } catch {
      database.exec(`DELETE FROM ${table} WHERE ${where}`)
    }
  })
}

export const POKES: readonly Poke[] = [
  bytes('a page of zeros', (data, chance) => void pageOf(data, chance).fill(0)),
  bytes('the first page of zeros', (data) => void data.fill(0, 0, PAGE)),
  bytes('a sector of zeros', (data, chance) => void data.fill(0, ...sector(data, chance))),
  bytes('a sector of noise', (data, chance) => {
    const [from, to] = sector(data, chance)
    for (let i = from; i < to; i++) data[i] = chance(256)
  }),
  bytes('one bit', (data, chance) => void (data[chance(data.length)]! ^= 1 << chance(8))),
  bytes('one byte', (data, chance) => flip(data, chance, 1)),
  bytes('three bytes', (data, chance) => flip(data, chance, 3)),
  bytes('thirty bytes', (data, chance) => flip(data, chance, 30)),
  bytes('three hundred bytes', (data, chance) => flip(data, chance, 300)),
  bytes('a byte of a page header', (data, chance) => void (pageOf(data, chance)[chance(12)]! ^= 1 + chance(255))),
  bytes('a byte of the file header', (data, chance) => void (data[chance(100)]! ^= 1 + chance(255))),
  bytes('one page in the place of another', (data, chance) => void pageOf(data, chance).copy(pageOf(data, chance))),
  { name: 'cut short', log: 'empty', do: (path, chance) => truncateSync(path, chance(statSync(path).size)) },
  {
    name: 'cut to whole pages',
    log: 'empty',
    do: (path, chance) => truncateSync(path, PAGE * (1 + chance(statSync(path).size / PAGE - 1))),
  },
  { name: 'something appended', log: 'empty', do: (path) => appendFileSync(path, 'noise'.repeat(3000)) },
  { name: 'an empty file', log: 'empty', do: (path) => writeFileSync(path, '') },
  {
    name: 'a text file',
    log: 'empty',
    do: (path) => writeFileSync(path, 'this is no database, but long enough to be looked at as one '.repeat(40)),
  },
  { name: 'gone', log: 'empty', do: (path) => rmSync(path) },
  {
    name: 'a folder',
    log: 'empty',
    do(path) {
      rmSync(path)
      mkdirSync(path)
      writeFileSync(join(path, 'mine.txt'), 'a file of the user')
    },
  },
  {
    name: 'another database',
    log: 'empty',
    do(path) {
      rmSync(path)
      const database = new DatabaseSync(path)
      database.exec("CREATE TABLE document (id INTEGER PRIMARY KEY, path TEXT); INSERT INTO document VALUES (1, 'x')")
      database.close()
    },
  },
  {
    name: 'an index of an earlier Ken',
    log: 'empty',
    do(path) {
      rmSync(path)
      const database = new DatabaseSync(path)
      database.exec(
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID; INSERT INTO meta VALUES ('generation', 900), ('next_chunk', 0), ('epoch', 0); PRAGMA user_version = 5",
      )
      database.close()
    },
  },
  sql('a table dropped', (database, chance) => {
    const tables = objects(database, 'table')
    database.exec(`DROP TABLE ${tables[chance(tables.length)]}`)
  }),
  sql('an index dropped', (database, chance) => {
    const indexes = objects(database, 'index')
    database.exec(`DROP INDEX ${indexes[chance(indexes.length)]}`)
  }),
  sql('a row deleted', (database, chance) =>
    withRow(database, chance, (table, where) => database.exec(`DELETE FROM ${table} WHERE ${where}`)),
  ),
  sql('ten rows deleted', (database, chance) => {
    for (let i = 0; i < 10; i++)
      withRow(database, chance, (table, where) => database.exec(`DELETE FROM ${table} WHERE ${where}`))
  }),
  sql('a table emptied', (database, chance) =>
    withRow(database, chance, (table) => database.exec(`DELETE FROM ${table}`)),
  ),
  sql('a value changed', changeColumn),
  sql('another version', (database, chance) => database.exec(`PRAGMA user_version = ${1 + chance(200)}`)),
  sql('a table of someone else', (database) => database.exec('CREATE TABLE mine (x)')),
  log('the log gone', (path) => rmSync(`${path}-wal`)),
  log('the log emptied', (path) => truncateSync(`${path}-wal`, 0)),
  log('the log cut short', (path, chance) => truncateSync(`${path}-wal`, chance(statSync(`${path}-wal`).size))),
  log('a byte of the log', (path, chance) => poke(`${path}-wal`, chance)),
  log('noise for a log', (path) => writeFileSync(`${path}-wal`, 'noise'.repeat(5000))),
  log('the map of the log gone', (path) => rmSync(`${path}-shm`, { force: true })),
  log('noise in the map of the log', (path, chance) => existsSync(`${path}-shm`) && poke(`${path}-shm`, chance)),
  log('a byte of the file under a log', (path, chance) => poke(path, chance)),
  log('a log of noise beside a sound file', (path) => writeFileSync(`${path}-journal`, 'noise'.repeat(5000))),
]

const sector = (data: Buffer, chance: Random): [number, number] => {
  const at = chance(data.length / 512) * 512
  return [at, at + 512]
}

function poke(path: string, chance: Random): void {
  const at = chance(statSync(path).size)
  const file = openSync(path, 'r+')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, at)
  byte[0]! ^= 1 + chance(255)
  writeSync(file, byte, 0, 1, at)
  closeSync(file)
}
