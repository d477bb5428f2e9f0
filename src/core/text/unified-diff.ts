/** A file as it is and as it would be, each with its last line ended; undefined where there is none. */
export function fileDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return ''
  const lines = (text: string | undefined) =>
    text === undefined || text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const [a, b] = [lines(before), lines(after)]
  const names = [before === undefined ? '/dev/null' : path, after === undefined ? '/dev/null' : path]
  return [`--- ${names[0]}`, `+++ ${names[1]}`, ...hunks(lineEdits(a, b), a, b)].join('\n')
}

/** Two texts compared by line, as `diff -u` writes it; empty where they are the same. */
export function unifiedDiff(before: string, after: string, names: { before: string; after: string }): string {
  if (before === after) return ''
  const [a, b] = [before.split('\n'), after.split('\n')]
  const edits = lineEdits(a, b)
  return [`--- ${names.before}`, `+++ ${names.after}`, ...hunks(edits, a, b)].join('\n')
}

/** A run of lines that went and of those that came in their place; lines from 0, ends behind the last. */
export interface LineEdit {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
}

const CONTEXT = 3
// What differs in more lines than this is told as replaced in one piece: finding the shortest way costs its square.
const MOST_CHANGES = 1_000

export function lineEdits(a: readonly string[], b: readonly string[]): LineEdit[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const pairs = commonLines(a.slice(start, endA), b.slice(start, endB))
  const edits: LineEdit[] = []
  let [fromA, fromB] = [start, start]
  for (const [x, y] of [...pairs, [endA - start, endB - start] as const]) {
    const [toA, toB] = [start + x, start + y]
    if (toA > fromA || toB > fromB) edits.push({ fromA, toA, fromB, toB })
    ;[fromA, fromB] = [toA + 1, toB + 1]
  }
  return edits
}

/** Lines that both have, in order, as many as there can be: Myers' greedy search, whose steps are kept to walk back. */
function commonLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const most = Math.min(a.length + b.length, MOST_CHANGES)
  const steps: Map<number, number>[] = []
  let furthest = new Map<number, number>([[1, 0]])
  for (let changes = 0; changes <= most; changes++) {
    const next = new Map<number, number>()
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const down = furthest.get(diagonal + 1) ?? -1
      const right = furthest.get(diagonal - 1) ?? -1
      let x = diagonal === -changes || (diagonal !== changes && right < down) ? down : right + 1
      while (x < a.length && x - diagonal < b.length && x >= 0 && a[x] === b[x - diagonal]) x++
      next.set(diagonal, x)
      if (x >= a.length && x - diagonal >= b.length) return walkBack([...steps, next], a, b)
    }
    steps.push(next)
    furthest = next
  }
  return []
}

function walkBack(steps: readonly Map<number, number>[], a: readonly string[], b: readonly string[]) {
  const pairs: (readonly [number, number])[] = []
  let [x, y] = [a.length, b.length]
  for (let changes = steps.length - 1; changes >= 0; changes--) {
    const before = changes === 0 ? undefined : steps[changes - 1]!
    const diagonal = x - y
    const isDown =
      before !== undefined &&
      (diagonal === -changes ||
        (diagonal !== changes && (before.get(diagonal - 1) ?? -1) < (before.get(diagonal + 1) ?? -1)))
    const from = before === undefined ? 0 : isDown ? before.get(diagonal + 1)! : before.get(diagonal - 1)! + 1
    while (x > from && x > 0 && y > 0) pairs.push([--x, --y])
    if (before === undefined) break
    if (isDown) y--
    else x--
  }
  return pairs.reverse()
}

function hunks(edits: readonly LineEdit[], a: readonly string[], b: readonly string[]): string[] {
  const groups: LineEdit[][] = []
  for (const edit of edits) {
    const last = groups.at(-1)
    if (last !== undefined && edit.fromA - last.at(-1)!.toA <= 2 * CONTEXT) last.push(edit)
    else groups.push([edit])
  }
  return groups.flatMap((group) => hunk(group, a, b))
}

function hunk(edits: readonly LineEdit[], a: readonly string[], b: readonly string[]): string[] {
  const [first, last] = [edits[0]!, edits.at(-1)!]
  const fromA = Math.max(0, first.fromA - CONTEXT)
  const toA = Math.min(a.length, last.toA + CONTEXT)
  const fromB = first.fromB - (first.fromA - fromA)
  const toB = last.toB + (toA - last.toA)
  const lines: string[] = []
  let at = fromA
  for (const edit of edits) {
    for (; at < edit.fromA; at++) lines.push(` ${a[at]}`)
    for (; at < edit.toA; at++) lines.push(`-${a[at]}`)
    for (let y = edit.fromB; y < edit.toB; y++) lines.push(`+${b[y]}`)
  }
  for (; at < toA; at++) lines.push(` ${a[at]}`)
  return [`@@ -${range(fromA, toA)} +${range(fromB, toB)} @@`, ...lines]
}

const range = (from: number, to: number): string =>
  to - from === 1 ? String(from + 1) : `${to === from ? from : from + 1},${to - from}`
