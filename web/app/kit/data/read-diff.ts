export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
  /** 1-based line number in the old text; undefined for an added line. */
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Consecutive lines. */
export interface DiffPart {
  readonly lines: readonly DiffLine[]
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** Parses a unified diff into lines with their numbers. */
export function readDiff(diff: string): readonly DiffPart[] {
  const parts: { lines: DiffLine[] }[] = []
  let [before, after] = [0, 0]
  for (const line of diff.split('\n')) {
    const hunk = HUNK.exec(line)
    if (hunk !== null) {
      ;[before, after] = [Number(hunk[1]), Number(hunk[2])]
      parts.push({ lines: [] })
      continue
    }
    // The lines before the first hunk are the names of both texts.
    const part = parts.at(-1)
    if (part === undefined || line.startsWith('\\')) continue
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
    part.lines.push({
      kind,
      text: line.slice(1),
      before: kind === 'added' ? undefined : before++,
      after: kind === 'removed' ? undefined : after++,
    })
  }
  return parts
}

export interface DiffRow {
  readonly before: DiffLine | undefined
  readonly after: DiffLine | undefined
}

/** Pairs removed lines with the lines that replace them. */
export function diffRows({ lines }: DiffPart): readonly DiffRow[] {
  const rows: DiffRow[] = []
  for (let at = 0; at < lines.length;) {
    if (lines[at]!.kind === 'same') {
      rows.push({ before: lines[at], after: lines[at] })
      at++
      continue
    }
    const run: DiffLine[] = []
    while (at < lines.length && lines[at]!.kind !== 'same') run.push(lines[at++]!)
    const [gone, come] = [run.filter(({ kind }) => kind === 'removed'), run.filter(({ kind }) => kind === 'added')]
    for (let row = 0; row < Math.max(gone.length, come.length); row++)
      rows.push({ before: gone[row], after: come[row] })
  }
  return rows
}
