import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgeStatement } from '../src/context/domain/sql/judge-statement.ts'
import type { AllowedTable } from '../src/context/domain/sql/policy.ts'
import type { Warehouse } from '../src/context/ports/warehouse.ts'

interface Corpus {
  readonly allowed: readonly string[]
  /** Also sent to the engine without the gate: its read-only session must not change the data. */
  readonly refused: readonly string[]
  /** Checked but never sent: they would stop or block the server. */
  readonly unsent?: readonly string[]
}

export interface CorpusReport {
  readonly dialect: string
  readonly allowed: number
  readonly refused: number
  readonly falseRefusals: readonly string[]
  readonly falseAllows: readonly string[]
  /** Statements that changed something although they were refused, or at the engine without the gate. */
  readonly changes: readonly string[]
}

const LIMITS = { rows: 50, bytes: 1_000_000, milliseconds: 20_000 }

/**
 * Checks every statement in a dialect's corpus and runs it: an allowed statement must run, and a refused one must
 * change nothing.
 */
export async function judgeCorpus(warehouse: Warehouse, folder: string): Promise<CorpusReport> {
  const { dialect } = warehouse
  const corpus = readCorpus(dialect.name)
  const written = join(folder, 'written')
  mkdirSync(written, { recursive: true })
  const filled = (list: readonly string[]): readonly string[] => list.map((sql) => sql.replaceAll('{dir}', written))
  const before = await stateOf(warehouse)
  const tables = await wholeDatabase(warehouse)
  const judge = async (sql: string): Promise<ReturnType<typeof judgeStatement>> =>
    judgeStatement(await warehouse.parse(sql), { dialect, tables })
  const falseRefusals: string[] = []
  for (const sql of filled(corpus.allowed)) {
    const verdict = await judge(sql)
    if (!verdict.allowed) falseRefusals.push(`${sql} ← ${verdict.reason}`)
    else
      await warehouse
        .query(verdict.sql, LIMITS)
        .catch((error: Error) => falseRefusals.push(`${sql} ← engine: ${error.message}`))
  }
  const falseAllows: string[] = []
  for (const sql of filled([...corpus.refused, ...(corpus.unsent ?? [])]))
    if ((await judge(sql)).allowed) falseAllows.push(sql)
  const changes = readdirSync(written).map((name) => `file ${name}`)
  if ((await stateOf(warehouse)) !== before) changes.push('the data, although nothing refused was sent')
  for (const sql of filled(corpus.refused)) {
    await warehouse.query(sql, { ...LIMITS, milliseconds: 5_000 }).catch(() => undefined)
    if ((await stateOf(warehouse)) !== before)
      return {
        dialect: dialect.name,
        ...counts(corpus),
        falseRefusals,
        falseAllows,
        changes: [...changes, `past the gate: ${sql}`],
      }
  }
  return { dialect: dialect.name, ...counts(corpus), falseRefusals, falseAllows, changes }
}

export function readCorpus(dialect: string): Corpus {
  return JSON.parse(readFileSync(join(import.meta.dirname, `fixtures/sql/${dialect}.json`), 'utf8')) as Corpus
}

const counts = (corpus: Corpus): Pick<CorpusReport, 'allowed' | 'refused'> => ({
  allowed: corpus.allowed.length,
  refused: corpus.refused.length + (corpus.unsent?.length ?? 0),
})

/** A context that excludes and hides nothing. */
async function wholeDatabase(warehouse: Warehouse): Promise<readonly AllowedTable[]> {
  return Promise.all(
    (await warehouse.tables()).map(async (summary) => {
      const { columns } = await warehouse.describe(summary)
      const { database, schema, name } = summary
      return {
        database,
        schema,
        name,
        columns: columns.map((column) => column.name),
        hidden: [],
        isView: summary.kind === 'view',
      }
    }),
  )
}

/**
 * The catalogue and the rows of both tables, without marks and sizes: they are server estimates, which ANALYZE updates.
 */
async function stateOf(warehouse: Warehouse): Promise<string> {
  const tables = (await warehouse.tables()).map(
    ({ mark: _mark, changedAt: _changedAt, bytes: _bytes, rows: _rows, ...table }) => table,
  )
  const rows = await Promise.all(
    ['users', 'orders'].map(
      async (name) => (await warehouse.query(`SELECT * FROM ${name} ORDER BY id`, { ...LIMITS, rows: 1_000 })).rows,
    ),
  )
  return JSON.stringify([tables, rows], (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
