interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

const CONTEXT = 2
// Above this many cells of the comparison table the changed middle is shown as replaced whole.
const MOST_CELLS = 1_000_000

/** The difference of two texts in the manner of `diff -u`; empty when there is none. A missing text is an empty one. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return ''
  const lines = compare(split(before), split(after))
  const hunks = group(lines)
  return [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
    ...hunks,
  ].join('\n')
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++
  return [
    ...before.slice(0, head).map(same),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ]
}

/** Longest common subsequence by table. */
function middle(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1
  if (before.length * after.length > MOST_CELLS) return [...before.map(removed), ...after.map(added)]
  const longest = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        before[i] === after[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
    }
  }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push(same(before[i]!))
      i++
      j++
    } else if (j >= after.length || (i < before.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!))
      lines.push(removed(before[i++]!))
    else lines.push(added(after[j++]!))
  }
  return lines
}

const same = (text: string): Line => ({ sign: ' ', text })
const removed = (text: string): Line => ({ sign: '-', text })
const added = (text: string): Line => ({ sign: '+', text })

/** Changed lines with a little around them; runs that come close to each other make one hunk. */
function group(lines: readonly Line[]): string[] {
  const shown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => line.sign !== ' '),
  )
  const out: string[] = []
  let [old, fresh] = [1, 1]
  for (const [at, line] of lines.entries()) {
    if (shown[at] && !shown[at - 1]) out.push(`@@ -${old} +${fresh} @@`)
    if (shown[at]) out.push(`${line.sign}${line.text.replace(/\r$/, '')}`)
    if (line.sign !== '+') old++
    if (line.sign !== '-') fresh++
  }
  return out
}

const split = (text: string | undefined): string[] =>
  text === undefined || text === '' ? [] : text.replace(/\n$/, '').split('\n')
