import { rowsOf } from './company.ts'
import type { FoundJoin } from './compiled.ts'
import { BAITS, JOINS, SAME, type PlantedJoin } from './facts.ts'

export interface JudgedJoins {
  readonly found: ReadonlySet<PlantedJoin>
  /** Planted joins with a correct cardinality. */
  readonly counted: ReadonlySet<PlantedJoin>
  /**
   * Joins that are neither planted nor wrong: the same relation under other names, such as two references to one table.
   */
  readonly alsoRight: readonly FoundJoin[]
  readonly wrong: readonly FoundJoin[]
  /** Wrong joins that start or end at a bait column. */
  readonly baited: number
}

export const nameOfJoin = ({ from, to }: FoundJoin): string => `${from.join(' + ')} → ${to.join(' + ')}`

export function judgeJoins(joins: readonly FoundJoin[]): JudgedJoins {
  const planted = new Map(JOINS.map((join) => [keyOf(endsOf(join)), join]))
  const { isSame, isSameInPairs } = meanings()
  const [found, counted] = [new Set<PlantedJoin>(), new Set<PlantedJoin>()]
  const [alsoRight, wrong]: [FoundJoin[], FoundJoin[]] = [[], []]
  for (const join of joins) {
    const known = planted.get(keyOf(join))
    if (known) {
      found.add(known)
      if (isCountedRight(join, known)) counted.add(known)
    } else if ((join.from.length === 1 ? isSame : isSameInPairs)(join)) alsoRight.push(join)
    else wrong.push(join)
  }
  const baited = wrong.filter(({ from, to }) => [...from, ...to].some((column) => BAITS.includes(column))).length
  return { found, counted, alsoRight, wrong, baited }
}

/** Accepts 1:1 as well if by chance no two rows share a reference. */
function isCountedRight({ from, cardinality }: FoundJoin, planted: PlantedJoin): boolean {
  const values = rowsOf(planted.from)
    .map((row) => planted.columns.map((column) => row[column]))
    .filter((value) => !value.includes(null))
    .map((value) => JSON.stringify(value))
  const isUnique = new Set(values).size === values.length
  const isTurned = !from[0]!.startsWith(`${planted.from}.`)
  return cardinality === (isTurned ? '1:n' : 'n:1') ? planted.cardinality === 'n:1' : cardinality === '1:1' && isUnique
}

const endsOf = ({ from, columns, to, toColumns }: PlantedJoin): Pick<FoundJoin, 'from' | 'to'> => ({
  from: columns.map((column) => `${from}.${column}`),
  to: toColumns.map((column) => `${to}.${column}`),
})

/** Key of a join, independent of direction and column order. */
function keyOf({ from, to }: Pick<FoundJoin, 'from' | 'to'>): string {
  const there = from.map((column, i) => `${column} ${to[i]}`).toSorted()
  const back = from.map((column, i) => `${to[i]} ${column}`).toSorted()
  return [there.join(', '), back.join(', ')].toSorted()[0]!
}

/**
 * Two columns mean the same if planted joins connect them. A column that refers to several tables connects nothing, and
 * half of a composite key has a meaning of its own only if it is a reference itself.
 */
function meanings() {
  const [alone, inPairs] = [sets(), sets()]
  const plain = JOINS.filter(({ when }) => when === undefined).map(endsOf)
  for (const { from, to } of plain.filter(({ from }) => from.length === 1)) alone.unite(from[0]!, to[0]!)
  for (const [a, b] of SAME) alone.unite(a, b)
  const references = new Set(plain.flatMap(({ from, to }) => (from.length === 1 ? [from[0]!, to[0]!] : [])))
  for (const { from, to } of plain.filter(({ from }) => from.length > 1))
    from.forEach((column, i) => {
      if (references.has(to[i]!)) alone.unite(column, to[i]!)
    })
  for (const { from, to } of plain) from.forEach((column, i) => inPairs.unite(column, to[i]!))
  for (const [a, b] of SAME) inPairs.unite(a, b)
  const all = (own: ReturnType<typeof sets>) => (join: FoundJoin) =>
    join.from.every((column, i) => own.of(column) === own.of(join.to[i]!))
  return { isSame: all(alone), isSameInPairs: all(inPairs) }
}

function sets() {
  const parents = new Map<string, string>()
  const of = (column: string): string => {
    const parent = parents.get(column)
    return parent === undefined ? column : of(parent)
  }
  return {
    of,
    unite(a: string, b: string) {
      if (of(a) !== of(b)) parents.set(of(a), of(b))
    },
  }
}
