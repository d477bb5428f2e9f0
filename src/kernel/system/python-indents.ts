/**
 * Whether a Python file may nest more blocks than its grammar can store: the grammar keeps their indents in a kilobyte
 * and writes past its end, after which no text of any language is parsed. No two blocks around a line have the same
 * indent, so the number of different indents in the file is an upper bound.
 */
export function hasTooManyIndents(text: string): boolean {
  const widths = new Set<number>()
  let width = 0
  let isLineStart = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === NEW_LINE || code === RETURN || code === FORM_FEED) {
      width = 0
      isLineStart = true
    } else if (isLineStart && (code === SPACE || code === TAB)) width += code === TAB ? 8 : 1
    else if (isLineStart) {
      widths.add(width)
      isLineStart = false
      if (widths.size > MOST_INDENTS) return true
    }
  }
  return false
}

const [TAB, NEW_LINE, FORM_FEED, RETURN, SPACE] = [9, 10, 12, 13, 32]
// 512 fill the kilobyte; open strings share it.
const MOST_INDENTS = 300
