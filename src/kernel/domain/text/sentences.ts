/** Sentences of a message, verbatim. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(LEFT_OUT)
    .flatMap((piece) => piece.split(/\n+/))
    .flatMap((line) => line.split(ENDS))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** Sentence end: after `!`, `?`, `…` or a full stop, unless the full stop ends an initial or a common abbreviation. */
const ENDS =
  /(?<=[!?…]["')\]]?|(?<!\b(?:e\.g|i\.e|z\.B|p\.ej|etc|vs|approx|ca|bzw|No|Nr|Mr|Mrs|Ms|Dr|St|\p{Lu}))\.["')\]]?)\s+(?=\S)/u

/** Sentences that contain a passage or its beginning, joined; undefined if the passage is not in the text. */
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

/** Normalises case, apostrophes, white space, and the quotation marks and ellipses at the ends of a copied text. */
export const squeezed = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^["'“„«…]+/, '')
    .replace(/["'”“»…]+$/, '')
    .toLowerCase()

/** Replaces text that is not the user's; evidence must not span it. */
export const LEFT_OUT = '[…]'
