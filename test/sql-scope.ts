import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgeStatement } from '../src/context/domain/sql/judge-statement.ts'
import type { AllowedTable } from '../src/context/domain/sql/policy.ts'
import type { Warehouse } from '../src/context/ports/warehouse.ts'
import type { Owner } from './shop-database.ts'

export type Engine = 'duckdb' | 'sqlite' | 'postgres' | 'mysql'
/** `held` is held out: it was written before it was first run. */
export type Half = 'first' | 'held'

export interface ScopeReport {
  readonly attacks: number
  /** Attacks that leak a planted value without the gate; undefined if that was not tried. */
  readonly potent: number | undefined
  readonly reads: number
  /** Attacks that ran and returned a planted value, or ran although they must be refused. */
  readonly falseAllows: readonly string[]
  readonly falseRefusals: readonly string[]
  readonly changed: boolean
}

const LIMITS = { rows: 200, bytes: 1_000_000, milliseconds: 20_000 }
const folder = join(import.meta.dirname, 'fixtures/sql/scope')
const VAULT = JSON.parse(readFileSync(join(folder, 'vault.json'), 'utf8')) as Readonly<
  Record<Engine, readonly string[]>
>

/** Adds tables, schemas, functions and macros to the shop that are not part of the context. */
export async function makeVault(owner: Owner, engine: Engine): Promise<void> {
  for (const sql of VAULT[engine]) await owner.exec(sql)
}

const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  users: ['password'],
  staff: ['badge'],
  articles: ['body'],
  letters: ['body'],
}
const EXCLUDED = /^(secrets|secret_view|sealed.*|terms|articles_.*|vault|numbers)$/

/** The context over shop and vault: some tables are excluded, some columns hidden. */
export async function scopeOf(warehouse: Warehouse): Promise<readonly AllowedTable[]> {
  const summaries = (await warehouse.tables()).filter(
    ({ schema, name }) => !EXCLUDED.test(name) && /^(main|public|shop)$/.test(schema),
  )
  return Promise.all(
    summaries.map(async (summary) => {
      const { columns } = await warehouse.describe(summary)
      const hidden = HIDDEN[summary.name] ?? []
      const { database, schema, name } = summary
      return {
        database,
        schema,
        name,
        hidden,
        columns: columns.map((column) => column.name).filter((column) => !hidden.includes(column)),
        isView: summary.kind === 'view',
      }
    }),
  )
}

/** Values of hidden columns and excluded tables; `NAMES` matches the names of both. */
export const PLANTED = /planted|hash\d|77700\d{4}/i
const NAMES = /\b(secrets|secret_view|password|badge|vault|leak\w*|sealed|token)\b/i

export async function judgeScopeCorpus(
  warehouse: Warehouse,
  half: Half,
  { countsPotent = false } = {},
): Promise<ScopeReport> {
  const engine = warehouse.dialect.name as Engine
  const tables = await scopeOf(warehouse)
  const judge = async (sql: string): Promise<ReturnType<typeof judgeStatement>> =>
    judgeStatement(await warehouse.parse(sql), { dialect: warehouse.dialect, tables })
  const before = await stateOf(warehouse)
  const attacks = readStatements('attacks', half, engine)
  const reads = readStatements('reads', half, engine)
  const falseAllows: string[] = []
  for (const { sql, mustRefuse } of attacks) {
    const verdict = await judge(sql)
    if (!verdict.allowed) continue
    const told = await tell(warehouse, verdict.sql)
    if (PLANTED.test(told) || NAMES.test(told)) falseAllows.push(`${sql} → ${told.slice(0, 120)}`)
    else if (mustRefuse && told !== '') falseAllows.push(`${sql} → ran`)
  }
  const falseRefusals: string[] = []
  for (const { sql } of reads) {
    const verdict = await judge(sql)
    if (!verdict.allowed) falseRefusals.push(`${sql} ← ${verdict.reason}`)
    else
      await warehouse
        .query(verdict.sql, LIMITS)
        .catch((error: Error) => falseRefusals.push(`${sql} ← engine: ${error.message}`))
  }
  const potent = countsPotent ? await countPotent(warehouse, attacks) : undefined
  return {
    attacks: attacks.length,
    potent,
    reads: reads.length,
    falseAllows,
    falseRefusals,
    changed: (await stateOf(warehouse)) !== before,
  }
}

async function countPotent(warehouse: Warehouse, attacks: readonly Statement[]): Promise<number> {
  let potent = 0
  for (const { sql, mustRefuse } of attacks) {
    const told = await tell(warehouse, sql)
    if (PLANTED.test(told) || NAMES.test(told) || (mustRefuse && told !== '')) potent++
  }
  return potent
}

/** The result as text, including its column types; empty if the engine refuses and its message leaks nothing. */
async function tell(warehouse: Warehouse, sql: string): Promise<string> {
  try {
    const { columns, rows } = await warehouse.query(sql, LIMITS)
    return asText([rows, columns.map(({ type }) => type)])
  } catch (error) {
    const message = (error as Error).message
    return PLANTED.test(message) ? message : ''
  }
}

async function stateOf(warehouse: Warehouse): Promise<string> {
  const rows = await Promise.all(
    ['users', 'orders', 'secrets'].map(
      async (name) => (await warehouse.query(`SELECT * FROM ${name} ORDER BY id`, LIMITS)).rows,
    ),
  )
  // Marks and sizes are server estimates, not effects of a statement.
  const tables = (await warehouse.tables()).map(
    ({ mark: _mark, changedAt: _changedAt, bytes: _bytes, rows: _rows, ...table }) => table,
  )
  return asText([tables, rows])
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_key, cell: unknown) => (typeof cell === 'bigint' ? String(cell) : cell))

interface Statement {
  readonly sql: string
  readonly kind: string
  /** True for an oracle, which returns no planted value but still reveals one. */
  readonly mustRefuse: boolean
}

/** Lines of `# kind | engines | refuse`, each followed by its statements, one per line. */
export function readStatements(what: 'attacks' | 'reads', half: Half, engine: Engine): readonly Statement[] {
  const found: Statement[] = []
  let [kind, engines, flags]: readonly string[] = ['', '', '']
  for (const line of readFileSync(join(folder, `${what}-${half}.txt`), 'utf8').split('\n')) {
    if (line.startsWith('# '))
      [kind = '', engines = '', flags = ''] = line
        .slice(2)
        .split('|')
        .map((part) => part.trim())
    else if (line !== '' && (engines === 'all' || engines!.split(' ').includes(engine)))
      found.push({ sql: line, kind: kind!, mustRefuse: flags === 'refuse' })
  }
  return found
}
