import type { NameTraits } from './dialect.ts'
import { type AllowedTable, OutsideContext, readable } from './policy.ts'
import type { Star } from './statement.ts'

/** Columns that a source certainly has. */
export interface Offers {
  readonly names: readonly string[]
  /** The source has no other columns. */
  readonly complete: boolean
}

/** Resolved source: a table of the context, or something with columns it defines. */
export interface Resolved {
  readonly called: string | undefined
  readonly table: AllowedTable | undefined
  readonly offers: Offers
}

/** The sources of one SELECT. */
export interface Level {
  readonly sources: readonly Resolved[]
  /** Whether all sources are visible from the name, so that their columns hide columns of outer scopes. */
  readonly whole: boolean
}

/**
 * Rejects a name if anything it may refer to is hidden. Engines search outer scopes if the nearest source of that name
 * has no such column, so only a column that certainly exists ends the search.
 */
export function judgeColumn(path: readonly string[], levels: readonly Level[], traits: NameTraits): void {
  if (path.length > 1 && judgeQualified(path, levels, traits)) return
  if (path.length > 1 && !traits.fields) return judgeWholeRow(path, levels)
  const [name = ''] = path
  for (const { sources, whole } of levels) {
    for (const source of sources) judgeName(name, source)
    if (whole && sources.some((source) => source.offers.names.some((offered) => surely(offered, name)))) return
    if (path.length > 1) continue
    for (const source of sources) judgeRow(name, source)
    if (traits.secondNames.some((second) => mayBe(second, name)))
      for (const { table } of sources) if (table) judgeSecondName(name, table)
  }
  if (path.length > 1) judgeWholeRow(path, levels)
}

/** `u.email`, `main.users.email`, `u.address.city`. True if the meaning is certain. */
function judgeQualified(path: readonly string[], levels: readonly Level[], traits: NameTraits): boolean {
  let isMatched = false
  for (let at = 1; at < path.length; at++) {
    const name = path[at]!
    for (const { sources, whole } of levels) {
      const meant = sources.filter(({ called }) => called !== undefined && mayBe(called, path[at - 1]!))
      for (const source of meant) judgeName(name, source)
      const sure = meant.filter(
        ({ called, offers }) => surely(called!, path[at - 1]!) && offers.names.some((offered) => surely(offered, name)),
      )
      if (whole && sure.length > 0) return true
      for (const source of meant)
        judgeUnknown(name, source, { traits, isLast: at === path.length - 1, isOffered: sure.includes(source) })
      isMatched ||= meant.length > 0
    }
  }
  if (!isMatched && traits.attributeCalls)
    throw new OutsideContext(
      'column',
      `${path.join('.')} names no table of this query, so it may call a function`,
      'Call functions with parentheses.',
    )
  // A qualifier without a matching source may belong to one that the parser dropped.
  if (!isMatched)
    for (const { sources } of levels) for (const source of sources) for (const part of path) judgeName(part, source)
  return false
}

function judgeName(name: string, { table }: Resolved): void {
  if (table?.hidden.some((hidden) => mayBe(hidden, name)))
    throw new OutsideContext('column', `${fullName(table)}.${name} is not part of the context`, readable(table))
}

interface Unknown {
  readonly traits: NameTraits
  readonly isLast: boolean
  readonly isOffered: boolean
}

/** Column unknown to the context: added later, added by the engine, or a disguised call. */
function judgeUnknown(name: string, { table, offers, called }: Resolved, { traits, isLast, isOffered }: Unknown): void {
  if (isOffered || offers.names.some((offered) => mayBe(offered, name))) return
  if (table && traits.addedColumns.some((added) => mayBe(added, name))) return
  if (table && traits.secondNames.some((second) => mayBe(second, name))) return judgeSecondName(name, table)
  if (table)
    throw new OutsideContext('column', `${fullName(table)}.${name} is not a column of the context`, readable(table))
  if (traits.attributeCalls && isLast)
    throw new OutsideContext(
      'column',
      `${called}.${name} may not be a column at all, so it may call a function`,
      'Name the columns of a subquery, and call functions with parentheses.',
    )
}

function judgeSecondName(name: string, table: AllowedTable): void {
  if (table.hidden.length > 0)
    throw new OutsideContext('column', `${name} may stand for a hidden column of ${fullName(table)}`, readable(table))
}

/** `SELECT u FROM users u` returns the whole row in some dialects. */
function judgeRow(name: string, { table, called }: Resolved): void {
  if (table && table.hidden.length > 0 && called !== undefined && mayBe(called, name))
    throw new OutsideContext('column', `${name} stands for whole rows of ${fullName(table)}`, readable(table))
}

/** `SELECT main.users FROM main.users`. */
function judgeWholeRow(path: readonly string[], levels: readonly Level[]): void {
  for (const { sources } of levels) for (const source of sources) judgeRow(path.at(-1)!, source)
}

/** `*` reads the columns of the nearest sources, `u.*` the columns of every source that may be u. */
export function judgeStar(star: Star, levels: readonly Level[]): void {
  const meant = star.of.length === 0 ? (levels[0]?.sources ?? []) : starSources(star, levels)
  for (const { table } of meant) {
    const shown = table?.hidden.find((name) => !star.except.some((left) => mayBe(left, name)))
    if (table && shown !== undefined)
      throw new OutsideContext(
        'column',
        `* would read ${fullName(table)}.${shown}, which is not part of the context`,
        readable(table),
      )
  }
}

function starSources(star: Star, levels: readonly Level[]): readonly Resolved[] {
  const all = levels.flatMap(({ sources }) => sources)
  const meant = all.filter(({ called }) => called !== undefined && mayBe(called, star.of.at(-1)!))
  return meant.length > 0 ? meant : all
}

export function starOffers(star: Star, levels: readonly Level[]): Offers {
  const [nearest] = levels
  const meant = (nearest?.sources ?? []).filter(
    ({ called }) => star.of.length === 0 || (called !== undefined && surely(called, star.of.at(-1)!)),
  )
  const names = meant
    .flatMap(({ offers }) => offers.names)
    .filter((name) => !star.except.some((left) => mayBe(left, name)))
  return { names, complete: meant.length > 0 && meant.every(({ offers }) => offers.complete) }
}

/** Loosest equality that any engine applies to names: ignores case, width and accents. */
const mayBe = (a: string, b: string): boolean => loose(a) === loose(b)
const loose = (name: string): string => name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase()

/** Equal in every engine. If quoting decides case, names are already folded; any other difference in case counts. */
const surely = (a: string, b: string): boolean => a === b

const fullName = (table: AllowedTable): string => `${table.schema}.${table.name}`
