import { DECISION_TYPES } from '../decision/decision.ts'
import { boundsOf, round, type Bounds } from './bounds.ts'
import { settle, type Body } from './force.ts'
import type { GraphNode } from './graph.ts'

export interface ClusterLayout {
  readonly bounds: Bounds
  readonly points: readonly { readonly x: number; readonly y: number; readonly r: number }[]
  /** The discs that hold decisions without links, one per type. */
  readonly fields: readonly { readonly x: number; readonly y: number; readonly r: number; readonly type: string }[]
}

type Link = readonly [from: number, to: number]

interface Cluster {
  readonly members: readonly Body[]
  readonly radius: number
  readonly type: string | undefined
}

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))
const BETWEEN_CLUSTERS = 30
// Screens are wider than high; so is the spiral that clusters are laid along.
const STRETCH = 1.45

/**
 * Linked decisions settle into clusters by their links, the others into one disc per type; clusters are packed along a
 * spiral, largest inside.
 */
export function layoutClusters(
  decisions: readonly GraphNode[],
  supersessions: readonly Link[],
  citations: readonly Link[],
): ClusterLayout {
  const degrees = countLinks(decisions.length, [...supersessions, ...citations])
  const bodies = decisions.map((_, place): Body => ({ place, x: 0, y: 0, r: radiusOf(degrees[place]!) }))
  const linked = linkedClusters(bodies, supersessions, citations)
  const clusters = [
    ...linked,
    ...fieldsByType(
      decisions,
      bodies.filter((body) => degrees[body.place] === 0),
    ),
  ]
  clusters.sort((a, b) => b.radius - a.radius)
  const fields = pack(clusters)
  return {
    bounds: boundsOf(
      [...bodies, ...fields].map(({ x, y, r }) => ({ x: x - r, y: y - r, width: 2 * r, height: 2 * r })),
      40,
    ),
    points: bodies.map(({ x, y, r }) => ({ x: round(x), y: round(y), r: round(r) })),
    fields,
  }
}

const radiusOf = (degree: number): number => Math.min(5 + 2.4 * Math.sqrt(degree), 18)

function countLinks(size: number, links: readonly Link[]): number[] {
  const degrees = Array.from({ length: size }, () => 0)
  for (const link of links) for (const place of link) degrees[place]!++
  return degrees
}

function linkedClusters(
  bodies: readonly Body[],
  supersessions: readonly Link[],
  citations: readonly Link[],
): Cluster[] {
  const neighbours = new Map<number, number[]>()
  const springs = [
    ...supersessions.map((link) => ({ link, length: 62, pull: 0.5 })),
    ...citations.map((link) => ({ link, length: 96, pull: 0.12 })),
  ]
  for (const {
    link: [a, b],
  } of springs) {
    neighbours.set(a, [...(neighbours.get(a) ?? []), b])
    neighbours.set(b, [...(neighbours.get(b) ?? []), a])
  }
  const seen = new Set<number>()
  const clusters: Cluster[] = []
  for (const hub of [...neighbours.keys()].sort(
    (a, b) => neighbours.get(b)!.length - neighbours.get(a)!.length || a - b,
  )) {
    if (seen.has(hub)) continue
    const members = reachable(hub, neighbours, seen).map((place) => bodies[place]!)
    const places = new Set(members.map((body) => body.place))
    sow(members, 34)
    settle(
      members,
      springs
        .filter(({ link }) => places.has(link[0]))
        .map((spring) => ({ ...spring, ends: [bodies[spring.link[0]]!, bodies[spring.link[1]]!] })),
    )
    clusters.push({ members, radius: centre(members), type: undefined })
  }
  return clusters
}

/** Breadth first, so that sowing in this order puts neighbours near one another. */
function reachable(start: number, neighbours: ReadonlyMap<number, readonly number[]>, seen: Set<number>): number[] {
  const queue = [start]
  seen.add(start)
  for (let i = 0; i < queue.length; i++) {
    for (const next of neighbours.get(queue[i]!) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      queue.push(next)
    }
  }
  return queue
}

function fieldsByType(decisions: readonly GraphNode[], bodies: readonly Body[]): Cluster[] {
  const groups = Map.groupBy(bodies, (body) => decisions[body.place]!.decision_type ?? 'untyped')
  return [...DECISION_TYPES, 'untyped'].flatMap((type) => {
    const members = groups.get(type as never)
    if (members === undefined) return []
    sow(members, 21)
    return [{ members, radius: centre(members) + 9, type }]
  })
}

/** Sunflower order: even density, no chance involved. */
function sow(members: readonly Body[], spacing: number): void {
  members.forEach((body, i) => {
    const distance = spacing * Math.sqrt(i)
    body.x = distance * Math.cos(i * GOLDEN_ANGLE)
    body.y = distance * Math.sin(i * GOLDEN_ANGLE)
  })
}

/** Moves the middle of the bodies to the origin and says how far they reach from it. */
function centre(members: readonly Body[]): number {
  const middleX = members.reduce((sum, body) => sum + body.x, 0) / members.length
  const middleY = members.reduce((sum, body) => sum + body.y, 0) / members.length
  let reach = 0
  for (const body of members) {
    body.x -= middleX
    body.y -= middleY
    reach = Math.max(reach, Math.hypot(body.x, body.y) + body.r)
  }
  return reach
}

/**
 * Gives every cluster the first free place along a spiral that only grows: later clusters are smaller and never search
 * from the start.
 */
function pack(clusters: readonly Cluster[]): ClusterLayout['fields'] {
  const placed: { x: number; y: number; radius: number }[] = []
  const fields: { x: number; y: number; r: number; type: string }[] = []
  let step = 0
  for (const { members, radius, type } of clusters) {
    let spot = spiral(step)
    while (
      placed.some((other) => Math.hypot(other.x - spot.x, other.y - spot.y) < other.radius + radius + BETWEEN_CLUSTERS)
    )
      spot = spiral(++step)
    placed.push({ ...spot, radius })
    for (const body of members) {
      body.x += spot.x
      body.y += spot.y
    }
    if (type !== undefined) fields.push({ x: round(spot.x), y: round(spot.y), r: round(radius), type })
  }
  return fields
}

function spiral(step: number): { x: number; y: number } {
  const distance = 11 * Math.sqrt(step)
  return {
    x: STRETCH * distance * Math.cos(step * GOLDEN_ANGLE),
    y: (distance * Math.sin(step * GOLDEN_ANGLE)) / STRETCH,
  }
}
