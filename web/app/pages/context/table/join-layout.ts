import type { JoinFacts } from './facts.ts'

export interface JoinBox {
  readonly table: string
  /** The referring columns, on either side. */
  readonly columns: string
  readonly isDeclared: boolean
  /** Vertical centre of the box, in pixels from the top. */
  readonly y: number
}

interface JoinLayout {
  readonly height: number
  readonly middle: number
  /** Tables in `left` refer to this table; this table refers to the tables in `right`. */
  readonly left: readonly JoinBox[]
  readonly right: readonly JoinBox[]
  readonly more: number
}

const BOX = 44
const GAP = 8
const MOST = 7

/** Positions of the boxes: one per other table, however many joins there are. */
export function joinLayout(joins: readonly JoinFacts[]): JoinLayout {
  const sides = (['in', 'out'] as const).map((side) => groups(joins.filter(({ direction }) => direction === side)))
  const shown = sides.map((boxes) => boxes.slice(0, MOST))
  const rows = Math.max(1, ...shown.map((boxes) => boxes.length))
  const height = rows * (BOX + GAP) - GAP
  const [left, right] = shown.map((boxes) => placed(boxes, height))
  return {
    height,
    middle: height / 2,
    left: left!,
    right: right!,
    more: sides.reduce((sum, boxes) => sum + Math.max(0, boxes.length - MOST), 0),
  }
}

function groups(joins: readonly JoinFacts[]): readonly Omit<JoinBox, 'y'>[] {
  const byTable = Map.groupBy(joins, ({ table }) => table)
  return [...byTable]
    .map(([table, all]) => ({
      table,
      columns: [
        ...new Set(
          all.map(({ direction, columns, referenced }) => (direction === 'in' ? referenced : columns).join(' + ')),
        ),
      ].join(', '),
      isDeclared: all.some(({ declared }) => declared),
    }))
    .toSorted((a, b) => Number(b.isDeclared) - Number(a.isDeclared))
}

function placed(boxes: readonly Omit<JoinBox, 'y'>[], height: number): readonly JoinBox[] {
  const own = boxes.length * (BOX + GAP) - GAP
  return boxes.map((box, at) => ({ ...box, y: (height - own) / 2 + at * (BOX + GAP) + BOX / 2 }))
}
