import type { Decision } from './decision.ts'

// Ends of sentences, paragraphs and list items.
const BOUNDARY = /(?<=[.!?])\s+|\n\s*\n|\n(?=\s*[-*] )/
const SAYS_WHAT_IS_DONE =
  /\b(?:we (?:will|shall|decided|have decided|use|choose|chose|adopt|keep|are going)|decided to|will (?:be )?us\w+|chosen option|is chosen|must|should)\b/i
const SHORTEST = 16

/** The first sentence of a rationale that states what is done; the first sentence if none does. */
export function outcomeSentence({ rationale, title }: Pick<Decision, 'rationale' | 'title'>): string {
  const sentences = rationale
    .replaceAll(/^#+ .*$/gm, '\n')
    .split(BOUNDARY)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.length >= SHORTEST)
  return sentences.find((sentence) => SAYS_WHAT_IS_DONE.test(sentence)) ?? sentences[0] ?? title
}
