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

const ROUNDS = 240
/** Bodies further apart do not push each other: the cost stays linear, two thousand bodies settle in a fraction of a second. */
const REACH = 130
const PUSH = 900
const GRAVITY = 0.012
const BETWEEN_BODIES = 7

/** Moves bodies until springs and mutual push balance. Starts from where they are; the same start gives the same end. */
export function settle(bodies: readonly Body[], springs: readonly Spring[]): void {
  for (let round = 0; round < ROUNDS; round++) {
    const heat = 1 - round / ROUNDS
    for (const body of bodies) {
      body.x -= body.x * GRAVITY
      body.y -= body.y * GRAVITY
    }
    for (const spring of springs) stretch(spring, heat)
    forNearPairs(bodies, REACH, (a, b, dx, dy, distance) => shove(a, b, { dx, dy, by: Math.min((PUSH * heat) / (distance * distance), 12) / distance }))
  }
  for (let round = 0; round < 12; round++) forNearPairs(bodies, 50, separate)
}

function stretch({ ends: [a, b], length, pull }: Spring, heat: number): void {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const distance = Math.hypot(dx, dy) || 0.01
  shove(a, b, { dx, dy, by: ((length - distance) / distance) * pull * heat * 0.5 })
}

function separate(a: Body, b: Body, dx: number, dy: number, distance: number): void {
  const overlap = a.r + b.r + BETWEEN_BODIES - distance
  if (overlap > 0) shove(a, b, { dx, dy, by: overlap / distance / 2 })
}

function shove(a: Body, b: Body, { dx, dy, by }: { dx: number; dy: number; by: number }): void {
  a.x -= dx * by
  a.y -= dy * by
  b.x += dx * by
  b.y += dy * by
}

type Visit = (a: Body, b: Body, dx: number, dy: number, distance: number) => void

/** Visits every pair nearer than `reach` once, found through a grid of cells of that size. */
function forNearPairs(bodies: readonly Body[], reach: number, visit: Visit): void {
  const cells = Map.groupBy(bodies, (body) => cellOf(body, reach))
  for (const [cell, members] of cells) {
    members.forEach((body, i) => {
      for (let j = i + 1; j < members.length; j++) visitPair(body, members[j]!, reach, visit)
      for (const offset of HALF_OF_THE_NEIGHBOURS) for (const other of cells.get(cell + offset) ?? []) visitPair(body, other, reach, visit)
    })
  }
}

const ROW = 1 << 20
const HALF_OF_THE_NEIGHBOURS = [1, ROW - 1, ROW, ROW + 1]

const cellOf = (body: Body, size: number): number => Math.floor(body.x / size) + Math.floor(body.y / size) * ROW

function visitPair(a: Body, b: Body, reach: number, visit: Visit): void {
  const dx = b.x - a.x
  // Two bodies on one spot have no direction to part in; the order of places gives them one.
  const dy = b.y - a.y || (a.x === b.x ? 0.01 : 0)
  const distance = Math.hypot(dx, dy)
  if (distance < reach) visit(a, b, dx, dy, distance)
}
