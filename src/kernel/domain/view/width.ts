const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Number of terminal columns that a text takes on one line. */
export function displayWidth(text: string): number {
  if (isNarrow(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment)
  return width
}

/** Cuts to this many columns, with an ellipsis if something was cut. */
export function fitWidth(text: string, width: number): string {
  if (text.length <= width && isNarrow(text)) return text
  if (displayWidth(text) <= width) return text
  return width < 1 ? '' : `${takeWidth(text, width - 1).trimEnd()}…`
}

export const padWidth = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)))

const WIDEST_PARAGRAPH = 100

/** Wraps prose between words for a person; otherwise returns one line. */
export const paragraph = (text: string, { width }: { readonly width: number }): string =>
  width === Infinity ? text : wrapWidth(text, Math.min(width, WIDEST_PARAGRAPH)).join('\n')

/** Lines of at most this many columns, broken between words; a longer word is broken itself. */
export function wrapWidth(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (displayWidth(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (displayWidth(line) > width) {
      const piece = takeWidth(line, width) || line
      lines.push(piece)
      line = line.slice(piece.length)
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** Beginning of the text that fits, in whole characters. */
function takeWidth(text: string, width: number): string {
  let taken = 0
  for (const { segment, index } of segmenter.segment(text)) {
    taken += widthOf(segment)
    if (taken > width) return text.slice(0, index)
  }
  return text
}

const isNarrow = (text: string): boolean => /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]*$/.test(text)

function widthOf(character: string): number {
  const code = character.codePointAt(0)!
  if (code < 0x300)
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad ? 0 : isKeycap(character) ? 2 : 1
  if (/^[\p{Mn}\p{Me}\p{Cf}\p{Zl}\p{Zp}]+$/u.test(character)) return 0
  if (/^\p{Emoji_Presentation}|^\p{Extended_Pictographic}.*\uFE0F|^\p{Regional_Indicator}{2}/u.test(character)) return 2
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1
}

const isKeycap = (character: string): boolean => character.endsWith('\u20E3') && character.includes('\uFE0F')

/** East Asian Width W and F (Unicode 16) except emoji, which have a separate property; unassigned gaps are closed. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2630, 0x2637],
  [0x268a, 0x268f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4dc0, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
]
