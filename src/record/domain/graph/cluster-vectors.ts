import { dot, toUnitLength } from '../../../retrieval/domain/ranking/vector.ts'

const ROUNDS = 25
const STARTS = 4
/** Centroids are computed from this many vectors, spread over all: 3,000 vectors then take a fifth of the time. */
const SAMPLE = 600

/**
 * Splits vectors into at most `count` clusters by direction (spherical k-means), largest first. Deterministic: starts
 * are drawn from a fixed sequence, and the tightest result wins.
 */
export function clusterVectors(vectors: readonly Float32Array[], count: number): number[] {
  const units = centred(vectors)
  const every = Math.ceil(units.length / SAMPLE)
  const sample = units.filter((_, i) => i % every === 0)
  const draw = fixedSequence()
  let best: Clusters | undefined
  for (let start = 0; start < (every > 1 ? 1 : STARTS); start++) {
    const found = settle(sample, seeds(sample, count, draw))
    if (best === undefined || found.likeness > best.likeness + 1e-9) best = found
  }
  return best === undefined ? [] : bySize(assign(units, best.middles).of)
}

interface Clusters {
  readonly middles: readonly Float32Array[]
  /** Total similarity to the centroids. */
  readonly likeness: number
}

/** Subtracts the mean: a component that all vectors share distinguishes none of them. */
function centred(vectors: readonly Float32Array[]): Float32Array[] {
  const middle = new Float32Array(vectors[0]?.length ?? 0)
  const units = vectors.map(toUnitLength)
  for (const unit of units) for (let i = 0; i < middle.length; i++) middle[i]! += unit[i]! / units.length
  return units.map((unit) => toUnitLength(unit.map((component, i) => component - middle[i]!)))
}

function settle(units: readonly Float32Array[], first: readonly Float32Array[]): Clusters {
  let middles = first
  let of: readonly number[] = []
  let likeness = 0
  for (let round = 0; round < ROUNDS; round++) {
    const next = assign(units, middles)
    const isStill = next.of.every((group, i) => group === of[i])
    ;({ of, likeness } = next)
    if (isStill) break
    middles = means(units, of, middles)
  }
  return { middles, likeness }
}

function assign(
  units: readonly Float32Array[],
  middles: readonly Float32Array[],
): { of: readonly number[]; likeness: number } {
  let likeness = 0
  const of = units.map((unit) => {
    let [nearest, most] = [0, -Infinity]
    for (let at = 0; at < middles.length; at++) {
      const near = dot(unit, middles[at]!)
      if (near > most) [nearest, most] = [at, near]
    }
    likeness += most
    return nearest
  })
  return { of, likeness }
}

/** A cluster that lost all its members keeps its centroid. */
function means(
  units: readonly Float32Array[],
  of: readonly number[],
  middles: readonly Float32Array[],
): Float32Array[] {
  const sums = middles.map((middle) => new Float32Array(middle.length))
  units.forEach((unit, i) => {
    const sum = sums[of[i]!]!
    for (let at = 0; at < unit.length; at++) sum[at]! += unit[at]!
  })
  return sums.map((sum, group) => (sum.some((component) => component !== 0) ? toUnitLength(sum) : middles[group]!))
}

/** Starts are far apart: each is drawn by its squared distance from the nearest start so far. */
function seeds(units: readonly Float32Array[], count: number, draw: () => number): Float32Array[] {
  const chosen = [units[Math.floor(draw() * units.length)]!]
  const distances = units.map((unit) => 1 - dot(unit, chosen[0]!))
  while (chosen.length < Math.min(count, units.length)) {
    let left = draw() * distances.reduce((sum, distance) => sum + distance ** 2, 0)
    let at = 0
    while (at < units.length - 1 && (left -= distances[at]! ** 2) > 0) at++
    chosen.push(units[at]!)
    units.forEach((unit, i) => (distances[i] = Math.min(distances[i]!, Math.max(0, 1 - dot(unit, units[at]!)))))
  }
  return chosen
}

/** Renumbers the clusters, the largest 0; empty ones are removed. */
function bySize(of: readonly number[]): number[] {
  const order = [...Map.groupBy(of, (group) => group)].sort(([, a], [, b]) => b.length - a.length)
  const places = new Map(order.map(([group], place) => [group, place]))
  return of.map((group) => places.get(group)!)
}

/** A linear congruential sequence from a fixed start. */
function fixedSequence(): () => number {
  let state = 20_240_601
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}
