import { dot } from '../retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { contentWords, isNegated, sharedWords } from './domain/user-memory/content-words.ts'

// Measured on pairs with the bundled embedder: "display" for "show" is above, "june" for "july" and "include" for
// "exclude" below. A kept duplicate costs a line; a change mistaken for a duplicate is lost.
const LEAST_LIKENESS = 0.85
const LEAST_WORD_LIKENESS = 0.6

export type MeanSame = (a: string, b: string) => boolean

/** Returns whether two of some texts are paraphrases: they are similar, and so is every word that differs. */
export async function openMeanSame(embedder: Embedder, texts: readonly string[]): Promise<MeanSame> {
  const all = [...new Set([...texts, ...texts.flatMap(contentWords)])]
  const vectors = await embedder.embed(all, 'document')
  const vectorOf = new Map(all.map((text, i) => [text, vectors[i]!]))
  const likeness = (a: string, b: string): number => {
    const [own, other] = [vectorOf.get(a), vectorOf.get(b)]
    return own === undefined || other === undefined ? 0 : dot(own, other)
  }
  return (a, b) => {
    if (likeness(a, b) < LEAST_LIKENESS || isNegated(a) !== isNegated(b)) return false
    const [own, other] = [contentWords(a), contentWords(b)]
    const without = (words: readonly string[], from: readonly string[]): readonly string[] =>
      from.filter((word) => sharedWords([word], words).length === 0)
    const [onlyOwn, onlyOther] = [without(other, own), without(own, other)]
    const hasTwin = (word: string, among: readonly string[]): boolean =>
      !/\d/.test(word) && among.some((twin) => likeness(word, twin) >= LEAST_WORD_LIKENESS)
    return onlyOwn.every((word) => hasTwin(word, onlyOther)) && onlyOther.every((word) => hasTwin(word, onlyOwn))
  }
}
