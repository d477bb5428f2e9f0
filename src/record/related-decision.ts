import { z } from 'zod'
import { ellipsis } from '../kernel/domain/text.ts'
import { DECISION_TRUSTS } from '../kernel/domain/trust/trust.ts'
import type { Verdict } from '../retrieval/domain/ranking/verdict.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { outcomeBelowTitle } from './domain/decision/outcome.ts'
import type { RankedDecision, Ranking, Store } from './ports/store.ts'
import { decisionId, readDecision, trustOf } from './read-decision.ts'

const LONGEST_PREVIEW = 300

export const verdictField = z.enum(['strong', 'related', 'weak', 'none'])

export const relatedDecision = z.object({
  id: z.string(),
  title: z.string(),
  score: z.number(),
  status: z.string(),
  date: z.string(),
  rationale_preview: z.string(),
  trust: z.enum(DECISION_TRUSTS),
  verdict: verdictField,
  found_by: z.enum(['words', 'reasons', 'meaning', 'file', 'rejection']),
  decision_type: z.string().optional(),
  confidence: z.string().optional(),
  supersedes: z.string().optional(),
  superseded_by: z.string().optional(),
  governs: z.boolean().optional().describe('It governs one of the files.'),
  brings_back: z
    .object({
      alternative: z.string(),
      reason: z.string(),
      rejected_by: z.string().describe('This decision, or one that it came to replace.'),
      since: z.string(),
      inferred: z.boolean().optional().describe('Inferred by an import, not reviewed.'),
    })
    .optional(),
})

export type RelatedDecision = z.output<typeof relatedDecision>

export const nearestDecision = z.object({ id: z.string(), title: z.string() })

export type NearestDecision = z.output<typeof nearestDecision>

/** The hits to show: without embeddings all of them, because words alone cannot prove that something is unrelated. */
export const shownHits = ({ hits, stages }: Ranking): readonly RankedDecision[] =>
  stages.includes('semantic') ? hits.filter((hit) => hit.verdict !== 'none') : hits

/** A hit with the details for a reader. */
export async function toRelated(
  store: Store,
  hit: RelatedHit,
  foundBy: RelatedDecision['found_by'] = hit.score > 0
    ? 'words'
    : (hit.cosine ?? null) === null
      ? 'reasons'
      : 'meaning',
): Promise<RelatedDecision> {
  const { entry } = hit
  const decision = await readDecision(store, entry.stem)
  return {
    id: decisionId(entry.num),
    title: entry.title,
    score: hit.score,
    status: entry.status,
    date: entry.date,
    rationale_preview: decision === undefined ? '' : ellipsis(outcomeBelowTitle(decision), LONGEST_PREVIEW),
    trust: trustOf(store, entry),
    verdict: hit.verdict,
    found_by: foundBy,
    ...(entry.decision_type === null ? {} : { decision_type: entry.decision_type }),
    confidence: entry.confidence,
    ...(entry.supersedes === null ? {} : { supersedes: entry.supersedes }),
    ...(entry.superseded_by === null ? {} : { superseded_by: entry.superseded_by }),
  }
}

interface RelatedHit {
  readonly entry: CatalogueEntry
  readonly score: number
  readonly verdict: Verdict
  readonly cosine?: number | null
}

/** How a hit was found, as one phrase. */
export const foundBy = (hit: RelatedDecision): string =>
  ({
    words: 'by words',
    reasons: 'by a rejected alternative',
    meaning: 'by meaning',
    file: 'governs the file',
    rejection: 'rejected it by name',
  })[hit.found_by]
