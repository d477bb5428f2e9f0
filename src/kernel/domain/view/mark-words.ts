import { analyseQuery, openTokenCounter } from '../text/analyse.ts'
import { CHECK_STOP_WORDS } from '../text/decision-tokens.ts'
import type { View } from './view.ts'

/** Returns a function that marks the words of a text that match a question, in any form. */
export function wordMarker(question: string, view: View): (text: string) => string {
  if (view.mark('match', 'x') === 'x') return (text) => text
  const terms = analyseQuery(question).filter(({ word }) => !CHECK_STOP_WORDS.has(word.toLowerCase()))
  const isTelling = openTokenCounter(terms.flatMap(({ term, parts }) => [term, ...parts]))
  const unspaced = [...new Set(question.match(UNSPACED) ?? [])].sort((a, b) => b.length - a.length)
  const mark = (found: string) => view.mark('match', found)
  return (text) =>
    text.replaceAll(WORD, (word) =>
      HAS_UNSPACED.test(word)
        ? unspaced.reduce((marked, run) => (marked === word ? word.replaceAll(run, mark) : marked), word)
        : isTelling(word) > 0
          ? mark(word)
          : word,
    )
}

const WORD = /[\p{L}\p{N}\p{M}_]+(?:[-.][\p{L}\p{N}\p{M}_]+)*/gu
// Scripts without spaces between words: a word is found inside a run.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}/gu
const HAS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
