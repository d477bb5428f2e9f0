import { LEFT_OUT } from './left-out.ts'

/** The sentences of what somebody said, as they stand there. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(LEFT_OUT)
    .flatMap((piece) => piece.split(/\n+/))
    .flatMap((line) => line.split(ENDS))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** Behind a full stop, unless it ends a number, an initial or a usual abbreviation. */
const ENDS =
  /(?<=[!?…]["')\]]?|(?<!\b(?:e\.g|i\.e|z\.B|p\.ej|etc|vs|approx|ca|bzw|No|Nr|Mr|Mrs|Ms|Dr|St|\p{Lu}))\.["')\]]?)\s+(?=\S)/u

/** The sentences that a passage stands in or begins in, joined; undefined where it stands nowhere in the text. */
export function sentencesAround(text: string, passage: string): string | undefined {
  const wanted = squeezed(passage)
  for (const piece of text.split(LEFT_OUT)) {
    const all = squeezed(piece)
    if (wanted === '' || !all.includes(wanted)) continue
    const sentences = sentencesOf(piece)
    let from = 0
    const start = all.indexOf(wanted)
    const touched = sentences.filter((sentence) => {
      const at = all.indexOf(squeezed(sentence), from)
      const end = at + squeezed(sentence).length
      from = Math.max(from, end)
      return at < start + wanted.length && end > start
    })
    return touched.join('\n')
  }
  return undefined
}

/** White space and the ends of what was copied do not matter; every other character does. */
export const squeezed = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^["'“„«…]+/, '')
    .replace(/["'”“»…]+$/, '')
    .toLowerCase()
