import { head } from '../kernel/domain/text.ts'
import { plainText } from '../kernel/domain/trust/visible.ts'
import type { Call } from '../kernel/ports/call.ts'
import { DecisionFault } from './domain/decision/fault.ts'
import { screenTexts } from './domain/decision/screening.ts'
import { numbersHere } from './named-decision.ts'
import type { Draft, Store } from './ports/store.ts'
import { type RelatedDecision, shownHits, toRelated } from './related-decision.ts'
import { type DecisionProposal, Refusal, writeProposal } from './write-proposal.ts'

export interface ProposalOutcome {
  status: 'confirmed' | 'rejected'
  tier: number
  operation: 'add' | 'update' | 'supersede' | 'reject'
  assessment: string
  decision_id?: string
  similar_decisions: RelatedDecision[]
  touched_decisions: string[]
  resolved_questions: string[]
  error?: { kind: string; reason: string }
}

/**
 * Records a proposal: screens its texts, ranks similar decisions, and under the lock screens it against the record and
 * writes it in one transaction.
 */
export async function propose(
  ctx: Call,
  store: Store,
  given: DecisionProposal,
  { dryRun = false } = {},
): Promise<ProposalOutcome> {
  const proposal = plainProposal(given)
  const fault = screenTexts(proposal)
  if (fault !== undefined) return rejected(1, fault)
  const similar = proposal.operation === 'update' ? [] : await similarDecisions(store, proposal)
  try {
    const numbers = proposal.operation === 'add' ? undefined : await numbersHere(store)
    const { replacedIds, ...written } = dryRun
      ? await writeProposal(ctx, tryOut(store), proposal, numbers)
      : await store.commit(ctx.origin, (draft) => writeProposal(ctx, draft, proposal, numbers))
    return {
      status: 'confirmed',
      tier: 2,
      ...written,
      ...(dryRun && { assessment: `Not recorded yet. It would be: ${written.assessment}` }),
      similar_decisions: similar.filter((hit) => !replacedIds.includes(hit.id)),
    }
  } catch (thrown) {
    if (thrown instanceof Refusal) return rejected(thrown.tier, thrown.message)
    if (thrown instanceof DecisionFault) return rejected(1, `${thrown.message}.`)
    throw thrown
  }
}

/** A dry-run change: accepts everything, writes nothing and takes no lock. */
const tryOut = (store: Store): Draft => ({
  read: (path) => store.read(path),
  catalogue: () => store.catalogue(),
  write() {},
  remove() {},
  note() {},
  snapshot() {},
  take() {},
})

/** Text without byte order marks and with \n line ends. */
const plainProposal = (given: DecisionProposal): DecisionProposal => ({
  ...given,
  title: plainText(given.title),
  rationale: plainText(given.rationale),
  rejected: given.rejected?.map((r) => ({ alternative: plainText(r.alternative), reason: plainText(r.reason) })),
})

async function similarDecisions(store: Store, proposal: DecisionProposal): Promise<RelatedDecision[]> {
  const text = `${proposal.title}. ${head(proposal.rationale, 200)}`
  const ranking = await store.rank({ text, limit: 5, among: 'active', check: true })
  return Promise.all(shownHits(ranking).map((hit) => toRelated(store, hit)))
}

const rejected = (tier: number, reason: string): ProposalOutcome => ({
  status: 'rejected',
  tier,
  operation: 'reject',
  assessment: `Not recorded: ${reason}`,
  similar_decisions: [],
  touched_decisions: [],
  resolved_questions: [],
  error: { kind: 'rejected', reason },
})
