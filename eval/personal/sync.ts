import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import type { LabelledTable } from './make.ts'

export interface SyncLeaks {
  /** Planted values or parts found in a committed file, as `file: value`. */
  readonly leaks: readonly string[]
  readonly files: number
  readonly planted: number
  /** `n of m` columns without personal values of which a preview shows a value unchanged. */
  readonly shown: string
}

/** Compiles a database with the planted values by `ken sync`, as a user would, and searches every file for them. */
export async function leaksOfSync(engine: 'duckdb' | 'sqlite', tables: readonly LabelledTable[]): Promise<SyncLeaks> {
  const place = mkdtempSync(join(tmpdir(), 'ken-personal-'))
  const root = join(place, 'project')
  mkdirSync(root)
  const statements = tables.flatMap((table) => statementsFor(table, engine))
  const path = join(root, `data.${engine}`)
  if (engine === 'duckdb') await runDuckdb(path, statements)
  else runSqlite(path, statements)
  writeFileSync(
    join(root, 'ken.yaml'),
    `name: planted\ndatabases:\n  - { name: planted, type: ${engine}, path: data.${engine} }\n`,
  )
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: place,
    KEN_HOME: join(place, 'home'),
    KEN_TELEMETRY: '0',
  }
  const ken = spawnSync(process.execPath, [join(import.meta.dirname, '../../src/app/main.ts'), 'sync', '--json'], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
  })
  if (ken.status !== 0) throw new Error(`ken sync ended with ${ken.status}: ${ken.stderr}${ken.stdout}`)
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('data.'))
    .map((entry) => join(entry.parentPath, entry.name))
  const texts = files.map((file) => ({ file: relative(root, file), text: readFileSync(file, 'utf8') }))
  const planted = [
    ...new Set(
      tables.flatMap(({ columns }) => columns.flatMap(({ values }) => values.flatMap((value) => value.planted))),
    ),
  ]
  const leaks = texts.flatMap(({ file, text }) =>
    planted.filter((value) => isLeft(value, text)).map((value) => `${file}: ${value}`),
  )
  const innocent = tables.flatMap(({ columns }) => columns.filter(({ kind }) => kind === undefined))
  const whole = texts.map(({ text }) => text.replaceAll('\\', '')).join('\n')
  const shown = innocent.filter(({ values }) => values.some((value) => whole.includes(value.text.slice(0, 40)))).length
  rmSync(place, { recursive: true, force: true })
  return { leaks, files: files.length, planted: planted.length, shown: `${shown} of ${innocent.length}` }
}

/** Whether a value can be read in a text, including a number with other grouping. */
export function isLeft(value: string, text: string): boolean {
  if (text.includes(value)) return true
  if (!/^\d{8,}$/.test(value)) return false
  return new RegExp([...value].join(String.raw`[ ().\-/]{0,2}`)).test(text)
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * SQL for a table with its values, a view that contains some of them, and, if the engine supports it, comments and
 * defaults with values.
 */
function statementsFor({ name, columns }: LabelledTable, engine: 'duckdb' | 'sqlite'): readonly string[] {
  const example = (i: number): string => columns[i % columns.length]!.values[0]!.text
  const definitions = columns.map(
    (column, i) => `"${column.name}" VARCHAR${i === 0 ? ` DEFAULT ${quoted(example(0))}` : ''}`,
  )
  const rows = columns[0]!.values.map((_, i) => `(${columns.map(({ values }) => quoted(values[i]!.text)).join(', ')})`)
  const [first, second] = [columns[0]!, columns[1]!]
  const personal = columns.filter(({ kind }) => kind !== undefined)
  return [
    `CREATE TABLE "${name}" (${definitions.join(', ')})`,
    `INSERT INTO "${name}" VALUES ${rows.join(', ')}`,
    `CREATE VIEW "v_${name}" AS SELECT * FROM "${name}" WHERE "${first.name}" <> ${quoted(first.values[1]!.text)} AND "${second.name}" NOT IN (${quoted(second.values[2]!.text)}, 'x')`,
    ...(engine === 'duckdb'
      ? personal.map(
          (column) =>
            `COMMENT ON COLUMN "${name}"."${column.name}" IS ${quoted(`As typed in, e.g. ${column.values[3]!.text}`)}`,
        )
      : []),
  ]
}

async function runDuckdb(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

function runSqlite(path: string, statements: readonly string[]): void {
  const database = new DatabaseSync(path)
  for (const statement of statements) database.exec(statement)
  database.close()
}
