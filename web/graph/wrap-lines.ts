/**
 * Wraps a text to at most `most` lines no wider than `width` by `measure`; the last ends with an ellipsis if there is
 * more. A word that is too wide on its own is split.
 */
export function wrapLines(text: string, width: number, most: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  const words = text.trim().split(/\s+/)
  let line = ''
  while (words.length > 0) {
    const next = line === '' ? words[0]! : `${line} ${words[0]!}`
    if (measure(next) <= width) {
      line = next
      words.shift()
    } else if (lines.length === most - 1) return [...lines, cut(next, width, measure)]
    else if (line === '') {
      const part = fitting(words[0]!, width, measure)
      lines.push(part)
      words[0] = words[0]!.slice(part.length)
    } else {
      lines.push(line)
      line = ''
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** A text in one line, with an ellipsis if it does not fit. */
export const cut = (text: string, width: number, measure: (text: string) => number): string =>
  measure(text) <= width ? text : `${fitting(text, width - measure('…'), measure).trimEnd()}…`

/** Shortens a name of several words, "cache, queue, retries", by whole words before it is truncated. */
export function cutName(name: string, width: number, measure: (text: string) => number): string {
  const words = name.split(', ')
  while (words.length > 1 && measure(words.join(', ')) > width) words.pop()
  return cut(words.join(', '), width, measure)
}

/** As many characters as fit, at least one; a binary search over the length. */
function fitting(text: string, width: number, measure: (text: string) => number): string {
  const characters = [...text]
  let [least, most] = [1, characters.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (measure(characters.slice(0, middle).join('')) <= width) least = middle
    else most = middle - 1
  }
  return characters.slice(0, least).join('')
}
