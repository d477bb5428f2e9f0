import { judgeStatement } from '../src/context/domain/sql/judge-statement.ts'
import type { Warehouse } from '../src/context/ports/warehouse.ts'
import { PLANTED, readStatements, scopeOf, type Engine } from './sql-scope.ts'

export interface FuzzReport {
  readonly judged: number
  readonly allowed: number
  /** Number of allowed statements that the engine could run. */
  readonly ran: number
  readonly leaks: readonly string[]
}

const LIMITS = { rows: 200, bytes: 1_000_000, milliseconds: 20_000 }

/** Runs random statements: half are disguised attacks of the corpus, half are queries with colliding names. */
export async function fuzzGate(
  warehouse: Warehouse,
  { seed, rounds, judges = true }: { seed: number; rounds: number; judges?: boolean },
): Promise<FuzzReport> {
  const engine = warehouse.dialect.name as Engine
  const tables = await scopeOf(warehouse)
  const attacks = readStatements('attacks', 'first', engine)
    .map(({ sql }) => sql)
    .filter((sql) => /^(SELECT|WITH|FROM)/.test(sql))
  const chance = chanceOf(seed)
  let [allowed, ran] = [0, 0]
  const leaks: string[] = []
  for (let i = 0; i < rounds; i++) {
    const sql =
      i % 2 === 0 ? dress(chance.pick(attacks), chance) : makeQuery(chance, { depth: 0, outer: [], ctes: [] }).sql
    const verdict = judges
      ? judgeStatement(await warehouse.parse(sql), { dialect: warehouse.dialect, tables })
      : { allowed: true as const, sql }
    if (!verdict.allowed) continue
    allowed++
    const told = await warehouse.query(verdict.sql, LIMITS).then(
      ({ rows }) => JSON.stringify(rows, (_key, cell: unknown) => (typeof cell === 'bigint' ? String(cell) : cell)),
      (error: Error) => (PLANTED.test(error.message) ? error.message : undefined),
    )
    if (told !== undefined) ran++
    if (told !== undefined && PLANTED.test(told)) leaks.push(`${sql} → ${told.slice(0, 100)}`)
  }
  return { judged: rounds, allowed, ran, leaks }
}

interface Random {
  below(n: number): number
  pick<T>(items: readonly T[]): T
}

/** mulberry32. */
function chanceOf(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number): number => Math.floor(next() * n)
  return { below, pick: (items) => items[below(items.length)]! }
}

/** The same statement in another form: case, quotes, comments, white space, and one or two wrappers. */
function dress(sql: string, chance: Random): string {
  let dressed = sql
  for (let i = chance.below(3); i > 0; i--) dressed = chance.pick(WRAPPINGS)(dressed)
  return chance.pick(CLOTHES)(dressed, chance)
}

const WRAPPINGS: readonly ((sql: string) => string)[] = [
  (sql) => `SELECT * FROM (${sql}) AS w`,
  (sql) => `WITH w AS (${sql}) SELECT * FROM w`,
  (sql) => `WITH users AS (${sql}) SELECT * FROM users`,
  (sql) => `SELECT (SELECT max(1) FROM (${sql}) AS u) FROM users AS u`,
  (sql) => `SELECT w.* FROM orders AS o, (${sql}) AS w`,
  (sql) => `SELECT * FROM (${sql}) AS users UNION ALL SELECT * FROM (${sql}) AS orders`,
  (sql) => `WITH RECURSIVE w AS (${sql}) SELECT * FROM w AS secrets`,
  (sql) => `SELECT * FROM (${sql}) AS secrets ORDER BY 1`,
  (sql) => `WITH a AS (${sql}), b AS (SELECT * FROM a) SELECT * FROM b`,
]

const CLOTHES: readonly ((sql: string, chance: Random) => string)[] = [
  (sql) => sql,
  (sql) => sql.toUpperCase(),
  (sql) => sql.replaceAll(/\bpassword\b/g, '"PassWord"'),
  (sql) => sql.replaceAll(/\b(users|secrets)\b/g, '"$1"'),
  (sql) => sql.replaceAll(' ', '/**/'),
  (sql) => sql.replaceAll(' ', '\n\t'),
  (sql) => sql.replaceAll(/\b(FROM|JOIN) users\b(?! AS)/g, '$1 main.users'),
  (sql, chance) => sql.replaceAll(/\bu\b/g, chance.pick(NAMES)),
  (sql, chance) => sql.replaceAll(/\bo\b/g, chance.pick(NAMES)),
  (sql) => `${sql} -- ; SELECT 1`,
]

const NAMES = ['u', 'o', 'users', 'orders', 'secrets', 'x', 'staff']
const OUTPUTS = ['id', 'email', 'password', 'val', 'x', 'badge', 'users']
const TABLES: Readonly<Record<string, readonly string[]>> = {
  users: ['id', 'email', 'password'],
  orders: ['id', 'user_id', 'amount', 'note'],
  secrets: ['id', 'val'],
  staff: ['badge', 'name', 'boss'],
  user_emails: ['id', 'email'],
  open_view: ['id', 'amount'],
}

interface Named {
  readonly name: string
  readonly columns: readonly string[]
}

interface Made {
  readonly sql: string
  readonly columns: readonly string[]
}

/** A query over few names, so that aliases, CTEs, tables and columns often share a name, and most queries are valid. */
function makeQuery(
  chance: Random,
  { depth, outer, ctes }: { depth: number; outer: readonly Named[]; ctes: readonly Named[] },
): Made {
  const own: Named[] = []
  const withs: string[] = []
  for (let i = depth < 2 && chance.below(3) === 0 ? 1 + chance.below(2) : 0; i > 0; i--) {
    const name = chance.pick(NAMES)
    const body = makeQuery(chance, { depth: depth + 1, outer, ctes: [...own, ...ctes] })
    withs.push(`${name} AS (${body.sql})`)
    own.unshift({ name, columns: body.columns })
  }
  const known = [...own, ...ctes]
  const sources: Named[] = []
  let from = makeSource(chance, { depth, outer, ctes: known }, sources)
  for (let i = chance.below(3); i > 0; i--) {
    const source = makeSource(chance, { depth: depth + 1, outer, ctes: known }, sources)
    const [a, b] = [makeColumn(chance, [...sources, ...outer]), makeColumn(chance, [...sources, ...outer])]
    from += chance.pick([
      `, ${source}`,
      ` JOIN ${source} ON ${a} = ${b}`,
      ` JOIN ${source} USING (id)`,
      ` NATURAL JOIN ${source}`,
      ` CROSS JOIN ${source}`,
    ])
  }
  const seen = chance.below(4) === 0 ? [...outer, ...sources] : sources
  const columns: string[] = []
  const select = Array.from({ length: 1 + chance.below(2) }, () => {
    const value = makeValue(chance, { depth, outer: [...sources, ...outer], ctes: known }, seen)
    const alias = chance.pick(OUTPUTS)
    if (value.endsWith('*')) columns.push(...seen.flatMap((source) => source.columns))
    else columns.push(alias)
    return value.endsWith('*') ? value : `${value} AS ${alias}`
  })
  const word = chance.below(3) === 0 ? 'WITH RECURSIVE' : 'WITH'
  return {
    sql: `${withs.length > 0 ? `${word} ${withs.join(', ')} ` : ''}SELECT ${select.join(', ')} FROM ${from}`,
    columns,
  }
}

type Place = Parameters<typeof makeQuery>[1]

function makeSource(chance: Random, place: Place, sources: Named[]): string {
  const alias = chance.pick(NAMES)
  if (place.depth < 3 && chance.below(3) === 0) {
    const { sql, columns } = makeQuery(chance, {
      ...place,
      depth: place.depth + 1,
      outer: [...sources, ...place.outer],
    })
    sources.push({ name: alias, columns })
    return `(${sql}) AS ${alias}`
  }
  const tables = Object.entries(TABLES).map(([name, columns]) => ({ name, columns }))
  // Mostly tables of the context, otherwise hardly any query would run.
  const table = chance.pick([
    ...place.ctes,
    ...tables,
    ...tables.filter(({ name }) => name !== 'secrets'),
    ...tables.slice(0, 2),
  ])
  const isNamed = chance.below(3) === 0
  sources.push({ name: isNamed ? table.name : alias, columns: table.columns })
  return isNamed ? table.name : `${table.name} AS ${alias}`
}

function makeColumn(chance: Random, seen: readonly Named[]): string {
  const source = chance.pick(seen)
  const isGuess = chance.below(8) === 0 || source.columns.length === 0
  const column = isGuess ? chance.pick(OUTPUTS) : chance.pick(source.columns)
  return chance.below(3) === 0 ? column : `${chance.below(10) === 0 ? chance.pick(NAMES) : source.name}.${column}`
}

function makeValue(chance: Random, place: Place, seen: readonly Named[]): string {
  const kind = chance.below(10)
  if (kind === 0) return '*'
  if (kind === 1) return `${chance.pick(seen).name}.*`
  if (kind === 2) return chance.pick(seen).name
  if (kind < 5 && place.depth < 3) return `(${makeQuery(chance, { ...place, depth: place.depth + 1 }).sql} LIMIT 1)`
  return makeColumn(chance, seen)
}
