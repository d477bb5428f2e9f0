import { analyseQuery } from '../kernel/domain/text/analyse.ts'
import { oneEditAway } from '../kernel/domain/text/one-edit-away.ts'
import { stem } from '../kernel/domain/text/stem.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { withDeadline } from './deadline.ts'
import type { SearchIndex } from './ports/search-index.ts'

// Shorter words have too many neighbours; longer ones are not checked for typos.
const PLAIN_WORD = /^[a-z]{4,24}$/i
/** A question with typos has one or two unknown words; a question in another language has only unknown words. */
const MOST_CORRECTED = 3
const MODEL_DEADLINE = 500

/**
 * Replaces words of the query that nothing in the index contains with indexed words one edit away, and returns a notice
 * about it. A word in the embedder's vocabulary is not a typo, even if no document contains it yet.
 */
export async function correctSpelling(
  text: string,
  { index, embedder }: { readonly index: SearchIndex; readonly embedder: () => Promise<Embedder | undefined> },
): Promise<{ readonly text: string; readonly note?: string }> {
  const plain = analyseQuery(text).filter(({ word, parts }) => parts.length === 0 && PLAIN_WORD.test(word))
  if (plain.length === 0) return { text }
  const { of: holders } = await index.frequencies(plain.map(({ term }) => term))
  const unknown = plain.filter(({ term }) => holders(term) === 0)
  if (unknown.length === 0 || unknown.length > MOST_CORRECTED) return { text }
  const knows = await vocabularyOf(embedder)
  const typos = unknown
    .filter(({ word }) => !knows(word.toLowerCase()))
    .map(({ word }) => ({ word, spellings: spellingsOf(word) }))
  if (typos.length === 0) return { text }
  const { of } = await index.frequencies(typos.flatMap(({ spellings }) => [...spellings.keys()]))
  const found = typos.flatMap((typo) => nearestTo(typo, of) ?? [])
  if (found.length === 0) return { text }
  const corrected = found.reduce((line, { word, meant }) => line.replaceAll(word, meant), text)
  const meant = found.map((one) => `"${one.meant}"`).join(', ')
  const typed = found.map((one) => `"${one.word}"`).join(', ')
  return { text: corrected, note: `Showing results for ${meant}: nothing here says ${typed}.` }
}

interface Typo {
  readonly word: string
  /** The likeliest spelling of each term. */
  readonly spellings: ReadonlyMap<string, string>
}

function spellingsOf(word: string): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>()
  for (const meant of oneEditAway(word.toLowerCase())) {
    const term = stem(meant)
    if (!spellings.has(term)) spellings.set(term, meant)
  }
  return spellings
}

/** The word with edit distance one that occurs in the most chunks. */
function nearestTo(
  { word, spellings }: Typo,
  of: (term: string) => number,
): { word: string; meant: string } | undefined {
  let best: { meant: string; count: number } | undefined
  for (const [term, meant] of spellings) {
    const count = of(term)
    if (count > (best?.count ?? 0)) best = { meant, count }
  }
  return best && { word, meant: best.meant }
}

async function vocabularyOf(load: () => Promise<Embedder | undefined>): Promise<(word: string) => boolean> {
  try {
    const embedder = await withDeadline(load(), MODEL_DEADLINE, 'the embedder did not answer in time')
    return (word) => embedder?.knows(word) ?? false
  } catch {
    // Without the model's vocabulary a correction may be wrong, which is acceptable because it is reported.
    return () => false
  }
}
