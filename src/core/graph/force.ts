export interface Body {
  readonly place: number
  x: number
  y: number
  readonly r: number
}

export interface Spring {
  readonly ends: readonly [Body, Body]
  readonly length: number
  readonly pull: number
}

/** Bodies further apart do not push each other, which keeps the cost linear. */
const REACH = 110
const PUSH = 3600
const GRAVITY = 0.01
const BETWEEN_BODIES = 12

/**
 * Moves bodies until springs and mutual push balance. Starts from where they are; the same start gives the same end.
 */
export function settle(bodies: readonly Body[], springs: readonly Spring[]): void {
  // Two thousand bodies settle in about a second; few of them get more rounds, which shows in the drawing.
  const rounds = Math.max(80, Math.min(300, Math.round(160_000 / bodies.length)))
  for (let round = 0; round < rounds; round++) {
    const heat = 1 - round / rounds
    for (const body of bodies) {
      body.x -= body.x * GRAVITY * heat
      body.y -= body.y * GRAVITY * heat
    }
    for (const spring of springs) stretch(spring, heat)
    forNearPairs(bodies, REACH, (a, b, squared) =>
      shove(a, b, Math.min((PUSH * heat) / squared, 14) / Math.sqrt(squared)),
    )
  }
  for (let round = 0; round < 20; round++) forNearPairs(bodies, 60, separate)
}

function stretch({ ends: [a, b], length, pull }: Spring, heat: number): void {
  const distance = Math.sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2) || 0.01
  shove(a, b, ((length - distance) / distance) * pull * heat * 0.5)
}

function separate(a: Body, b: Body, squared: number): void {
  const distance = Math.sqrt(squared)
  const overlap = a.r + b.r + BETWEEN_BODIES - distance
  if (overlap > 0) shove(a, b, overlap / distance / 2)
}

/** Moves two bodies apart by a part of their distance each; together where it is negative. */
function shove(a: Body, b: Body, part: number): void {
  const dx = (b.x - a.x) * part
  const dy = (b.y - a.y) * part
  a.x -= dx
  a.y -= dy
  b.x += dx
  b.y += dy
}

type Visit = (a: Body, b: Body, squaredDistance: number) => void

/** Visits every pair nearer than `reach` once, found through a grid of cells of that size. */
function forNearPairs(bodies: readonly Body[], reach: number, visit: Visit): void {
  const cells = Map.groupBy(bodies, (body) => Math.floor(body.x / reach) + Math.floor(body.y / reach) * ROW)
  for (const [cell, members] of cells) {
    const others = HALF_OF_THE_NEIGHBOURS.map((offset) => cells.get(cell + offset) ?? [])
    for (let i = 0; i < members.length; i++) {
      for (let j = i + 1; j < members.length; j++) visitNear(members[i]!, members[j]!, reach, visit)
      for (const neighbours of others) for (const other of neighbours) visitNear(members[i]!, other, reach, visit)
    }
  }
}

const ROW = 1 << 20
const HALF_OF_THE_NEIGHBOURS = [1, ROW - 1, ROW, ROW + 1]

function visitNear(a: Body, b: Body, reach: number, visit: Visit): void {
  // Two bodies on one spot have no direction to part in; their order gives them one.
  if (a.x === b.x && a.y === b.y) b.y += 0.1
  const squared = (b.x - a.x) ** 2 + (b.y - a.y) ** 2
  if (squared < reach * reach) visit(a, b, squared)
}
