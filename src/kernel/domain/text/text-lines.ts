/** Text with its lines. Lines are 0-based here; a line includes its line break. */
export interface TextLines {
  readonly text: string
  readonly count: number
  /** Offset of the start of a line; the end of the text for `count`. */
  start(line: number): number
  /** The line without its line break. */
  line(line: number): string
  /** Line of the character at an offset. */
  at(offset: number): number
}

export function readLines(text: string): TextLines {
  const starts = text.length === 0 ? [] : [0]
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1)
  const start = (line: number) => starts[line] ?? text.length
  return {
    text,
    count: starts.length,
    start,
    line(line) {
      let end = start(line + 1)
      if (text[end - 1] === '\n') end--
      if (text[end - 1] === '\r') end--
      return text.slice(start(line), end)
    },
    at(offset) {
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >>> 1
        if (starts[middle]! <= offset) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}
