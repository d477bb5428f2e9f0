import { operationNamed } from '../../../kernel/domain/named-operation.ts'
import { findTable, tableKey, type TableRules } from './find-table.ts'
import { judgeColumn, judgeStar, starOffers, type Level, type Offers, type Resolved } from './judge-column.ts'
import { OutsideContext, readable, type SqlPolicy, type SqlVerdict } from './policy.ts'
import type { CommonTable, ParsedStatement, QueryScope, FromItem } from './statement.ts'

type Refusal = Extract<SqlVerdict, { allowed: false }>

/**
 * Rejects tables and columns outside the context. Names resolve as in SQL: the nearest scope first, CTEs before tables.
 */
export function judgeScope(statement: ParsedStatement, policy: SqlPolicy): Refusal | undefined {
  if (!policy.tables) return undefined
  if (statement.listsCatalogue) return refuse(`${statement.verb} tells of more than the context`)
  const rules = {
    allowed: policy.tables,
    names: statement.names,
    traits: policy.dialect.names,
    plan: statement.kind === 'explain',
  }
  try {
    for (const type of statement.types) judgeType(type, rules)
    walk(statement.scope, { ctes: new Map(), levels: [] }, rules)
    return undefined
  } catch (thrown) {
    if (thrown instanceof OutsideContext) return thrown.refusal
    throw thrown
  }
}

/** A value of a table's row type exposes its columns. */
function judgeType(type: string, { allowed, names }: TableRules): void {
  if (!names.rowTypes?.includes(type) || allowed.some(({ name, hidden }) => name === type && hidden.length === 0))
    return
  throw new OutsideContext(
    'table',
    `the type ${type} tells the columns of a table`,
    'Cast to a type that is not the row of a table.',
  )
}

const refuse = (reason: string): Refusal => ({
  allowed: false,
  code: 'table',
  reason,
  hint: `Ask ${operationNamed('list_tables')} and ${operationNamed('describe_table')} what the context holds.`,
})

interface Rules extends TableRules {
  /** Only the plan is requested. */
  readonly plan: boolean
}

interface Surroundings {
  readonly ctes: ReadonlyMap<string, Offers>
  /** Nearest scope first. */
  readonly levels: readonly Level[]
}

/** Name of a CTE inside its own set operation. */
interface Self {
  readonly cte: CommonTable
  readonly key: string
}

const UNKNOWN: Offers = { names: [], complete: false }

/** Judges a query and returns its columns. */
function walk(scope: QueryScope, around: Surroundings, rules: Rules, self?: Self): Offers {
  const ctes = new Map(around.ctes)
  const keys = scope.ctes.map((cte) => cteKey(cte.name, rules))
  for (const [i, cte] of scope.ctes.entries()) {
    const seen = new Map(ctes)
    if (cte.seesLater) for (const later of keys.slice(i + 1)) seen.set(later, UNKNOWN)
    const given = walk(cte.query, { ctes: seen, levels: around.levels }, rules, { cte, key: keys[i]! })
    ctes.set(keys[i]!, renamed(given, cte.columns))
  }
  if (scope.branches.length === 0 && self?.cte.seesSelf === 'all') ctes.set(self.key, UNKNOWN)
  const level: Resolved[] = []
  for (const source of scope.sources)
    level.push(resolve(source, { ctes, levels: around.levels }, { rules, left: [...level] }))
  const inside = { ctes, levels: [{ sources: level, whole: true }, ...around.levels] }
  const inJoin = { ctes, levels: [{ sources: level, whole: false }, ...around.levels] }
  const sees = (part: boolean): Surroundings => (part ? inJoin : inside)
  for (const star of scope.stars) judgeStar(star, inside.levels)
  for (const { path, seesPart } of scope.columns) judgeColumn(path, sees(seesPart).levels, rules.traits)
  for (const { query, seesPart } of scope.inner) walk(query, sees(seesPart), rules)
  if (scope.branches.length > 0) return walkBranches(scope.branches, inside, rules, self)
  return offersOf(scope, inside.levels)
}

/** Judges the branches of a set operation; the first one names the columns of the result. */
function walkBranches(
  branches: readonly QueryScope[],
  around: Surroundings,
  rules: Rules,
  self: Self | undefined,
): Offers {
  let first = UNKNOWN
  for (const [i, branch] of branches.entries()) {
    const ctes = new Map(around.ctes)
    const isLast = i > 0 && i === branches.length - 1
    if (self && (self.cte.seesSelf === 'all' || (self.cte.seesSelf === 'last' && isLast)))
      ctes.set(self.key, i === 0 ? UNKNOWN : renamed(first, self.cte.columns))
    const given = walk(branch, { ctes, levels: around.levels }, rules)
    if (i === 0) first = given
  }
  return first
}

function offersOf({ outputs }: QueryScope, levels: readonly Level[]): Offers {
  const names: string[] = []
  let complete = true
  for (const output of outputs) {
    const more: Offers =
      'star' in output
        ? starOffers(output.star, levels)
        : { names: output.name === undefined ? [] : [output.name], complete: output.name !== undefined }
    names.push(...more.names)
    complete &&= more.complete
  }
  return { names, complete }
}

/** If a server setting decides whether case matters, a name in different case may be a different name. */
const cteKey = (name: string, { names, traits }: Rules): string =>
  tableKey(name, names.exactCase || traits.caseBySetting)

/** Columns of `AS x (a, b)`: the given names, then the remaining columns if all names are known. */
function renamed({ names, complete }: Offers, columns: readonly string[]): Offers {
  if (columns.length === 0) return { names, complete }
  return complete
    ? { names: [...columns, ...names.slice(columns.length)], complete }
    : { names: columns, complete: false }
}

function resolve(
  source: FromItem,
  around: Surroundings,
  { rules, left }: { rules: Rules; left: readonly Resolved[] },
): Resolved {
  if (source.kind === 'made') {
    const offers = source.offers === undefined ? UNKNOWN : { names: source.offers, complete: true }
    return { called: source.alias, table: undefined, offers }
  }
  if (source.kind === 'derived') {
    // With LATERAL or APPLY, and in some dialects always, a derived table may see the sources to its left.
    const given = walk(
      source.query,
      { ctes: around.ctes, levels: [{ sources: left, whole: false }, ...around.levels] },
      rules,
    )
    return { called: source.alias, table: undefined, offers: renamed(given, source.columns) }
  }
  const name = source.name.at(-1) ?? ''
  const cte = source.name.length === 1 ? around.ctes.get(cteKey(name, rules)) : undefined
  if (cte) return { called: source.alias ?? name, table: undefined, offers: renamed(cte, source.columns) }
  const table = findTable(source.name, rules)
  if (source.columns.length > 0 && table.hidden.length > 0)
    throw new OutsideContext('column', `renaming the columns of ${name} hides which are read`, readable(table))
  if (rules.plan && table.isView)
    throw new OutsideContext(
      'table',
      `a plan over the view ${name} tells of the tables beneath it`,
      'Run the query itself.',
    )
  return {
    called: source.alias ?? name,
    table,
    offers: renamed({ names: table.columns, complete: true }, source.columns),
  }
}
