import type { TreeRow } from './tree-rows.ts'

type TreeDeed =
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'open' | 'close' | 'show'; readonly at: number }

/** Action of a key in a tree, following the ARIA tree pattern. Undefined for other keys. */
export function treeDeed(key: string, rows: readonly TreeRow[], at: number, page: number): TreeDeed | undefined {
  const row = rows[at]
  const last = rows.length - 1
  if (row === undefined) return undefined
  const move = (to: number): TreeDeed => ({ kind: 'move', to: Math.max(0, Math.min(last, to)) })
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return move(at + 1)
    case 'ArrowUp':
    case 'k':
      return move(at - 1)
    case 'Home':
      return move(0)
    case 'End':
      return move(last)
    case 'PageDown':
      return move(at + page)
    case 'PageUp':
      return move(at - page)
    case 'ArrowRight':
      if (row.node.children.length === 0) return undefined
      return row.isOpen ? move(at + 1) : { kind: 'open', at }
    case 'ArrowLeft':
      if (row.isOpen) return { kind: 'close', at }
      return row.parent < 0 ? undefined : move(row.parent)
    case 'Enter':
      return { kind: 'show', at }
    default:
      return undefined
  }
}

/** The next row with the typed prefix; the active row is included while typing continues. */
export function typedAhead(rows: readonly TreeRow[], at: number, typed: string): number | undefined {
  const wanted = typed.toLowerCase()
  const isRepeated = [...wanted].every((letter) => letter === wanted[0])
  const start = wanted.length === 1 || isRepeated ? at + 1 : at
  const begins = isRepeated ? wanted[0]! : wanted
  for (let i = 0; i < rows.length; i++) {
    const to = (start + i) % rows.length
    if (rows[to]!.node.label.toLowerCase().startsWith(begins)) return to
  }
  return undefined
}
