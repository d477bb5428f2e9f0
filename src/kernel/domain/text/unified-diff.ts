import { diffArrays, structuredPatch } from 'diff'

/**
 * Unified diff of a current and a proposed file. Each text ends with a line break; undefined if the file does not
 * exist.
 */
export function fileDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return ''
  const names = [before === undefined ? '/dev/null' : path, after === undefined ? '/dev/null' : path]
  return [`--- ${names[0]}`, `+++ ${names[1]}`, ...hunks(before ?? '', after ?? '')].join('\n')
}

/** Line diff of two texts, as `diff -u` writes it; empty if they are equal. */
export function unifiedDiff(before: string, after: string, names: { before: string; after: string }): string {
  if (before === after) return ''
  // Every line gets an end, so that a missing one at the end of a text needs no remark.
  return [`--- ${names.before}`, `+++ ${names.after}`, ...hunks(`${before}\n`, `${after}\n`)].join('\n')
}

/** Run of removed lines and their replacement; 0-based, ends exclusive. */
export interface LineEdit {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
}

// Texts that differ in more lines than this are replaced in one piece: finding the shortest edit is quadratic.
const BOUND = { maxEditLength: 1_000 }

export function lineEdits(a: readonly string[], b: readonly string[]): LineEdit[] {
  const changes = diffArrays([...a], [...b], BOUND)
  if (changes === undefined) return [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length }]
  const edits: LineEdit[] = []
  let [fromA, fromB, toA, toB] = [0, 0, 0, 0]
  const close = (): void => {
    if (toA > fromA || toB > fromB) edits.push({ fromA, toA, fromB, toB })
  }
  for (const { added, removed, count } of changes) {
    if (removed) toA += count
    else if (added) toB += count
    else {
      close()
      ;[fromA, fromB] = [toA + count, toB + count]
      ;[toA, toB] = [fromA, fromB]
    }
  }
  close()
  return edits
}

function hunks(before: string, after: string): string[] {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, ...BOUND })
  if (patch !== undefined)
    return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
      ...lines,
    ])
  const [a, b] = [before, after].map((text) => text.replace(/\n$/, '').split('\n')) as [string[], string[]]
  return [
    `@@ -${range(1, a.length)} +${range(1, b.length)} @@`,
    ...a.map((line) => `-${line}`),
    ...b.map((line) => `+${line}`),
  ]
}

const range = (from: number, count: number): string => (count === 1 ? String(from) : `${from},${count}`)
