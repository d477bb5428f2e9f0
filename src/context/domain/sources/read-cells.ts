/** Cells of a table line as written by `markdownCell`; undefined if the line is not one. */
export function readCells(line: string): readonly string[] | undefined {
  const text = line.trim()
  if (text.length < 2 || !text.startsWith('|') || !text.endsWith('|')) return undefined
  const cells: string[] = []
  let cell = ''
  let slashes = 0
  for (let at = 1; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\') {
      slashes++
      continue
    }
    if (character !== '|') cell += '\\'.repeat(slashes) + character
    else {
      // Each backslash before a bar was doubled, and one more escapes the bar.
      cell += '\\'.repeat(slashes >> 1)
      if (slashes % 2 === 1) cell += '|'
      else {
        cells.push(cell.trim())
        cell = ''
      }
    }
    slashes = 0
  }
  return cells
}

/** Rows of the first table in the lines, header first, without the separator line. */
export function readRows(lines: readonly string[]): readonly (readonly string[])[] {
  const from = lines.findIndex((line, i) => line.startsWith('|') && /^\|[ |:-]+\|$/.test(lines[i + 1]?.trim() ?? ''))
  if (from < 0) return []
  const rows: (readonly string[])[] = []
  for (const line of [lines[from]!, ...lines.slice(from + 2)]) {
    const cells = readCells(line)
    if (cells === undefined) break
    rows.push(cells)
  }
  return rows
}

/** Pieces of `inlineCode` in a line, in order, each with the plain text that follows. */
export function readCodes(line: string): readonly { readonly code: string; readonly after: string }[] {
  const found: { code: string; after: string }[] = []
  let at = line.indexOf('`')
  while (at >= 0) {
    let open = at
    while (line[open] === '`') open++
    const fence = line.slice(at, open)
    const close = closing(line, fence, open)
    if (close < 0) break
    const next = line.indexOf('`', close + fence.length)
    const inside = line.slice(open, close)
    const isPadded = inside.length > 2 && inside.startsWith(' ') && inside.endsWith(' ') && inside.includes('`')
    const code = (isPadded ? inside.slice(1, -1) : inside).replaceAll(
      /(\\*)\\\|/g,
      (_, more: string) => `${more.slice(more.length >> 1)}|`,
    )
    found.push({ code, after: line.slice(close + fence.length, next < 0 ? line.length : next) })
    at = next
  }
  return found
}

/** Finds a run of backticks as long as the opening one. */
function closing(line: string, fence: string, from: number): number {
  for (let at = line.indexOf(fence, from); at >= 0; at = line.indexOf(fence, at)) {
    let end = at
    while (line[end] === '`') end++
    if (end - at === fence.length) return at
    at = end
  }
  return -1
}
