import { lineEdits, type LineEdit } from './unified-diff.ts'

/**
 * Merges two changes of one text line by line. If both sides insert list items at one position, both are kept, ours
 * first. Undefined if both changed the same lines differently.
 */
export function mergeLines(base: string, ours: string, theirs: string): string | undefined {
  const [old, mine, yours] = [base, ours, theirs].map((text) => text.split('\n')) as [string[], string[], string[]]
  const left = lineEdits(old, mine)
  const right = lineEdits(old, yours)
  const merged: string[] = []
  let [at, l, r] = [0, 0, 0]
  while (l < left.length || r < right.length) {
    const [my, your] = [left[l], right[r]]
    const from = Math.min(my?.fromA ?? Infinity, your?.fromA ?? Infinity)
    merged.push(...old.slice(at, from))
    if (my === undefined || your === undefined || !isOnePlace(my, your)) {
      const isMine = your === undefined || (my !== undefined && my.fromA <= your.fromA)
      const edit = isMine ? my! : your
      merged.push(...(isMine ? mine : yours).slice(edit.fromB, edit.toB))
      at = edit.toA
      if (isMine) l++
      else r++
      continue
    }
    const both = joined(
      mine.slice(my.fromB, my.toB),
      yours.slice(your.fromB, your.toB),
      my.fromA === my.toA && your.fromA === your.toA,
    )
    if (both === undefined || my.fromA !== your.fromA || my.toA !== your.toA) return undefined
    merged.push(...both)
    at = my.toA
    l++
    r++
  }
  return [...merged, ...old.slice(at)].join('\n')
}

/** Treats adjacent changes as one position: nothing between them determines their order. */
const isOnePlace = (a: LineEdit, b: LineEdit): boolean => a.fromA <= b.toA && b.fromA <= a.toA

function joined(
  mine: readonly string[],
  yours: readonly string[],
  isInsertion: boolean,
): readonly string[] | undefined {
  if (mine.join('\n') === yours.join('\n')) return mine
  const isList = (lines: readonly string[]) => lines.every((line) => line.trim() === '' || /^\s*[-*+] /.test(line))
  return isInsertion && isList(mine) && isList(yours) ? [...mine, ...yours] : undefined
}
