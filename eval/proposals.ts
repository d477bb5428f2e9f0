import { readFileSync } from 'node:fs'
import { indexText } from '../src/record/domain/decision/decision-texts.ts'
import { isSeed, type Decision } from '../src/record/domain/decision/decision.ts'
import { parseDecision } from '../src/record/domain/decision/parse.ts'

export interface ProposalSet {
  readonly paraphrases: readonly { readonly proposal: string; readonly decision: number }[]
  readonly unrelated: readonly string[]
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

export const proposals = (): ProposalSet => JSON.parse(read('sets/proposals.json'))

/** The active decisions of the golden corpus, without the seed. */
export function goldenDecisions(): Decision[] {
  const { cases } = JSON.parse(read('../test/fixtures/golden/bm25-corpus.json')) as {
    cases: { input: { text: string; filename: string } }[]
  }
  return cases
    .map(({ input }) => parseDecision(input.text, input.filename))
    .filter((d) => d.status === 'active' && !isSeed(d))
}

export { indexText }
