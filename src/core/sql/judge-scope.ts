import type { AllowedTable, SqlPolicy, Verdict } from './policy.ts'
import type { NameRules, ParsedStatement, QueryScope, Source, Star } from './statement.ts'

type Refusal = Extract<Verdict, { allowed: false }>

/** Refuses tables and columns outside the context. Names are resolved as SQL does: the nearest scope first, CTEs before tables. */
export function judgeScope(statement: ParsedStatement, policy: SqlPolicy): Refusal | undefined {
  if (!policy.tables) return undefined
  // SHOW TABLES gives names only; a query over the catalogue can reach statistics of what a table holds.
  if (statement.listsCatalogue && statement.kind !== 'show') {
    return refuse('table', `${statement.verb} tells of tables outside the context`, 'Read the table documents of the context instead.')
  }
  return walk(statement.scope, { ctes: new Map(), levels: [] }, { allowed: policy.tables, names: statement.names })
}

interface Surroundings {
  readonly ctes: ReadonlyMap<string, QueryScope>
  /** Sources a column may come from, nearest scope first. */
  readonly levels: readonly (readonly Resolved[])[]
}

interface Rules {
  readonly allowed: readonly AllowedTable[]
  readonly names: NameRules
}

/** A source after its name was looked up: a table of the context, or something that gives columns of its own. */
interface Resolved {
  readonly alias: string | undefined
  readonly table: AllowedTable | undefined
  readonly offers: readonly string[] | undefined
  readonly renamed: boolean
}

function walk(scope: QueryScope, around: Surroundings, rules: Rules): Refusal | undefined {
  const ctes = new Map(around.ctes)
  if (scope.recursive) for (const cte of scope.ctes) ctes.set(keyOf(cte.name, rules), cte.query)
  for (const cte of scope.ctes) {
    const refusal = walk(cte.query, { ctes, levels: around.levels }, rules)
    if (refusal) return refusal
    ctes.set(keyOf(cte.name, rules), cte.query)
  }
  const level: Resolved[] = []
  for (const source of scope.sources) {
    const resolved = resolve(source, ctes, rules)
    if ('allowed' in resolved) return resolved
    level.push(resolved)
  }
  const inside = { ctes, levels: [level, ...around.levels] }
  const derived = scope.sources.flatMap((source) => (source.kind === 'derived' && source.query ? [{ ...source, query: source.query }] : []))
  return (
    firstOf(derived, ({ query, lateral }) => walk(query, lateral ? inside : { ctes, levels: around.levels }, rules)) ??
    firstOf(level, judgeRenaming) ??
    firstOf(scope.stars, (star) => judgeStar(star, inside.levels)) ??
    firstOf(scope.columns, (path) => judgeColumn(path, inside.levels)) ??
    firstOf(scope.inner, (query) => walk(query, inside, rules))
  )
}

function resolve(source: Source, ctes: ReadonlyMap<string, QueryScope>, rules: Rules): Resolved | Refusal {
  if (source.kind === 'derived') return { alias: source.alias, table: undefined, offers: source.query?.outputs, renamed: false }
  const name = source.name.at(-1) ?? ''
  const cte = source.name.length === 1 ? ctes.get(keyOf(name, rules)) : undefined
  if (cte) return { alias: source.alias ?? name, table: undefined, offers: cte.outputs, renamed: false }
  const table = rules.allowed.find((candidate) => isNamed(candidate, source.name, rules.names))
  if (table) return { alias: source.alias, table, offers: table.columns, renamed: source.renamed }
  return refuse(
    'table',
    `${source.name.join('.')} is not a table of the context`,
    `Tables that may be read: ${listed(rules.allowed.map(fullName))}.`,
  )
}

function isNamed(table: AllowedTable, path: readonly string[], { searchPath, exactCase }: NameRules): boolean {
  const [name = '', schema, database] = path.toReversed()
  const same = (a: string, b: string): boolean => (exactCase ? a === b : fold(a) === fold(b))
  if (path.length > 3 || !same(table.name, name)) return false
  const inPath = searchPath.some((candidate) => same(candidate, table.schema))
  if (schema === undefined) return inPath
  if (database !== undefined) return same(table.schema, schema) && same(table.database, database)
  // Two parts may also mean database.table, with the schema left to the search path.
  return same(table.schema, schema) || (inPath && same(table.database, schema))
}

function judgeRenaming({ table, renamed }: Resolved): Refusal | undefined {
  if (!renamed || !table || table.hidden.length === 0) return undefined
  return refuse('column', `renaming the columns of ${fullName(table)} hides which are read`, readable(table))
}

function judgeStar(star: Star, levels: Surroundings['levels']): Refusal | undefined {
  const meant =
    star.of.length === 0 ? (levels[0] ?? []) : levels.flat().filter((source) => prefixLength(source, star.of) === star.of.length)
  for (const { table } of meant) {
    const shown = table?.hidden.find((name) => !includes(star.except, name))
    if (table && shown !== undefined)
      return refuse('column', `* would read ${fullName(table)}.${shown}, which is not part of the context`, readable(table))
  }
  return undefined
}

function judgeColumn(path: readonly string[], levels: Surroundings['levels']): Refusal | undefined {
  for (const source of path.length > 1 ? levels.flat() : []) {
    const length = prefixLength(source, path)
    if (length > 0 && length < path.length) return judgeName(path[length] ?? '', source)
  }
  const [name = ''] = path
  for (const level of levels) {
    const refusal = firstOf(level, (source) => judgeWholeRow(name, source) ?? judgeName(name, source))
    if (refusal) return refusal
    if (level.some((source) => source.offers && includes(source.offers, name))) return undefined
  }
  return undefined
}

function judgeName(name: string, { table }: Resolved): Refusal | undefined {
  if (!table || !includes(table.hidden, name)) return undefined
  return refuse('column', `${fullName(table)}.${name} is not part of the context`, readable(table))
}

/** `SELECT u FROM users u` gives the whole row in some dialects. */
function judgeWholeRow(name: string, { table, alias }: Resolved): Refusal | undefined {
  if (!table || table.hidden.length === 0 || fold(alias ?? table.name) !== fold(name)) return undefined
  return refuse('column', `${name} stands for whole rows of ${fullName(table)}`, readable(table))
}

/** How many leading parts of `path` name this source: 1 for `u.email`, 2 for `main.users.email`, 0 when it is another's. */
function prefixLength({ alias, table }: Resolved, path: readonly string[]): number {
  if (alias !== undefined) return fold(path[0] ?? '') === fold(alias) ? 1 : 0
  if (!table) return 0
  const full = [table.database, table.schema, table.name].map(fold)
  for (let length = Math.min(3, path.length); length > 0; length--) {
    const tail = full.slice(-length)
    if (path.slice(0, length).every((part, i) => fold(part) === tail[i])) return length
  }
  return 0
}

function firstOf<T>(items: readonly T[], judge: (item: T) => Refusal | undefined): Refusal | undefined {
  for (const item of items) {
    const refusal = judge(item)
    if (refusal) return refusal
  }
  return undefined
}

const LISTED = 20
const fold = (name: string): string => name.toLowerCase()
const keyOf = (name: string, { names }: Rules): string => (names.exactCase ? name : fold(name))
const includes = (names: readonly string[], name: string): boolean => names.some((candidate) => fold(candidate) === fold(name))
const fullName = (table: AllowedTable): string => `${table.schema}.${table.name}`
const readable = (table: AllowedTable): string => `Columns of ${fullName(table)} that may be read: ${listed(table.columns)}.`
const refuse = (code: 'table' | 'column', reason: string, hint: string): Refusal => ({ allowed: false, code, reason, hint })

const listed = (names: readonly string[]): string =>
  names.length <= LISTED ? names.join(', ') || 'none' : `${names.slice(0, LISTED).join(', ')} and ${names.length - LISTED} more`
