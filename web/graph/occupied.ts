export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Occupied areas of the screen, indexed by a grid so that thousands of boxes can be checked. */
export interface Occupied {
  add(box: Box): void
  isFree(box: Box): boolean
}

const CELL = 48
/** More cells than fit into a row on any screen. */
const ROW = 4096

export function createOccupied(): Occupied {
  const cells = new Map<number, Box[]>()
  const spanOf = (box: Box): [top: number, bottom: number, left: number, right: number] => [
    Math.floor(box.top / CELL),
    Math.floor(box.bottom / CELL),
    Math.floor(box.left / CELL),
    Math.floor(box.right / CELL),
  ]
  return {
    add(box) {
      const [top, bottom, left, right] = spanOf(box)
      for (let row = top; row <= bottom; row++)
        for (let column = left; column <= right; column++) {
          const cell = cells.get(row * ROW + column)
          if (cell === undefined) cells.set(row * ROW + column, [box])
          else cell.push(box)
        }
    },
    isFree(box) {
      const [top, bottom, left, right] = spanOf(box)
      for (let row = top; row <= bottom; row++)
        for (let column = left; column <= right; column++)
          for (const other of cells.get(row * ROW + column) ?? [])
            if (box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top)
              return false
      return true
    },
  }
}
