import type { MemoryProposal, MemoryProposals } from '../../src/analyst/domain/user-memory/proposal.ts'
import { sentencesOf } from '../../src/kernel/domain/text/sentences.ts'
import type { SpokenCase } from './read-cases.ts'

/** A simulated model that reads as a careful person would. */
export const carefulExtractor = (one: SpokenCase): MemoryProposals => ({
  items: one.expected.map(({ category, content, evidence, supersedes }) => ({
    category,
    content,
    evidence,
    ...(supersedes !== undefined && { supersedes }),
  })),
  forget: one.forget.map((id) => ({ id, evidence: one.said.at(-1)!.text })),
})

/**
 * A simulated model that proposes everything: each sentence of each message as a rule and as a fact, including quoted
 * ones, the case's bait, and forgetting every row.
 */
export function eagerExtractor(one: SpokenCase): MemoryProposals {
  const sentences = one.said.flatMap(({ text }) => sentencesOf(text.replaceAll(/^[\s>|]+/gm, '')))
  const both = (content: string): MemoryProposal[] => [
    { category: 'global_rule', content, evidence: content },
    { category: 'personal_fact', content, evidence: content },
  ]
  const last = one.said.at(-1)!.text
  return {
    items: [...one.tempting.items, ...sentences.flatMap(both), ...(sentences.length > 1 ? both(last) : [])],
    forget: [...one.tempting.forget, ...one.holding.map(({ id }) => ({ id, evidence: last }))],
  }
}
