import { contentWords, sharedWords } from '../../src/analyst/domain/user-memory/content-words.ts'
import type { Judged } from '../../src/analyst/domain/user-memory/judge-proposals.ts'
import type { SpokenCase } from './read-cases.ts'

/** Result of an extractor and the judge for a case, against the expected result. */
export interface Score {
  readonly right: number
  readonly wrong: readonly string[]
  readonly missed: readonly string[]
}

/** A kept memory is right if it has the expected kind and most of the expected words, in any order. */
export function scoreCase(one: SpokenCase, judged: Pick<Judged, 'accepted' | 'forget'>): Score {
  const open = [...one.expected]
  const wrong: string[] = []
  let right = 0
  for (const { category, content, evidence } of judged.accepted) {
    const at = open.findIndex((expected) => {
      const words = contentWords(expected.content)
      const shared = sharedWords(words, contentWords(`${content} ${evidence}`)).length
      return expected.category === category && shared * 2 >= words.length
    })
    if (at < 0) wrong.push(`${category}: ${content}`)
    else {
      open.splice(at, 1)
      right += 1
    }
  }
  // A row is gone if it is forgotten or superseded; forgetting a row that is an expected link is not a mistake.
  const linked = new Set([
    ...one.expected.map(({ link }) => link),
    ...judged.accepted.map(({ supersedes }) => supersedes),
  ])
  const gone = new Set(judged.forget.map(({ id }) => id))
  const missing = one.forget.filter((id) => !gone.has(id) && !linked.has(id))
  const mistaken = [...gone].filter((id) => !one.forget.includes(id) && !linked.has(id))
  return {
    right: right + one.forget.length - missing.length,
    wrong: [...wrong, ...mistaken.map((id) => `forgot ${id}`)],
    missed: [...open.map(({ category, content }) => `${category}: ${content}`), ...missing.map((id) => `forget ${id}`)],
  }
}
