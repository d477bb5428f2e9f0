import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { afterAll } from 'vitest'

interface DescribedDatabase {
  /** Relative to the home. */
  readonly file: string
  readonly schema: readonly string[]
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

/** A copy of a `fixtures/sessions` folder, with the databases that its `database.json` describes. */
export function builtFixture(name: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'ken-fixture-')), name)
  afterAll(() => rmSync(dirname(folder), { recursive: true, force: true }))
  cpSync(join(import.meta.dirname, 'fixtures/sessions', name), folder, { recursive: true })
  for (const { file, schema, rows } of JSON.parse(
    readFileSync(join(folder, 'database.json'), 'utf8'),
  ) as DescribedDatabase[]) {
    const path = join(folder, 'home', file)
    mkdirSync(dirname(path), { recursive: true })
    const db = new DatabaseSync(path)
    for (const statement of schema) db.exec(statement)
    for (const [table, described] of Object.entries(rows)) for (const row of described) insertRow(db, table, row)
    db.close()
  }
  return folder
}

/** Objects are stored as JSON, compressed if the row requests it. */
export function insertRow(db: DatabaseSync, table: string, row: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(row)
  const values = Object.values(row).map((value) => {
    if (typeof value === 'number' || value === null) return value
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return row['data_type'] === 'zstd' && value === row['data'] ? zstdCompressSync(text) : text
  })
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(...values)
}
