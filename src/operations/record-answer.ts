import { z } from 'zod'
import { isSeed, label, type Decision } from '../core/decision/decision.ts'
import type { CatalogueEntry } from '../core/decision/catalogue.ts'
import { parseDecision } from '../core/decision/parse.ts'
import { rejectedMatch } from '../core/decision/rejected-match.ts'
import { verdictOf } from '../core/decision/verdict.ts'
import { decisionPath } from '../core/record/files.ts'
import { ellipsis } from '../core/text.ts'
import { DECISION_TRUSTS, overallTrust, trustMark, type AnswerTrust, type DecisionTrust } from '../core/trust/trust.ts'
import type { RankedDecision, Store } from '../ports/store.ts'

const LONGEST_PREVIEW = 300

export const trustField = z.enum(DECISION_TRUSTS)

/** Every answer about a record says whose it is, and how far it is to be trusted. */
export const recordFields = { store: z.string(), project: z.object({ id: z.string(), name: z.string() }), trust: z.string() }

/** `shown`: the decisions that the answer holds. */
export const whose = (store: Store, shown: readonly { readonly trust: DecisionTrust }[] = []): { store: string; project: { id: string; name: string }; trust: AnswerTrust } => ({
  store: store.project.mode === 'cloud' ? 'cloud' : 'local',
  project: { id: store.project.id, name: store.project.name },
  trust: store.project.fromClone === true ? 'from the clone' : overallTrust(shown.map(({ trust }) => trust)),
})

export const trustOf = (store: Store, entry: CatalogueEntry): DecisionTrust => (store.project.fromClone === true ? 'from the clone' : entry.trust)

export const verdictField = z.enum(['strong', 'related', 'weak', 'none'])

export const relatedDecision = z.object({
  id: z.string(),
  title: z.string(),
  score: z.number(),
  status: z.string(),
  date: z.string(),
  rationale_preview: z.string(),
  trust: trustField,
  verdict: verdictField,
  found_by: z.enum(['words', 'reasons', 'meaning', 'file']),
  decision_type: z.string().optional(),
  confidence: z.string().optional(),
  supersedes: z.string().optional(),
  superseded_by: z.string().optional(),
  brings_back: z.object({ alternative: z.string(), reason: z.string() }).optional(),
})

export type RelatedDecision = z.output<typeof relatedDecision>

/** A hit with what a reader needs of it. A proposal that names a rejected alternative is strongly related whatever its other words are. */
export async function toRelated(store: Store, hit: RankedDecision, proposal: string): Promise<RelatedDecision> {
  const { entry } = hit
  const decision = await readDecision(store, entry.stem)
  const back = decision && rejectedMatch(proposal, decision.rejected)
  return {
    id: decisionId(entry.num),
    title: entry.title,
    score: hit.score,
    status: entry.status,
    date: entry.date,
    rationale_preview: ellipsis((decision?.rationale ?? '').split(/\n\s*\n/)[0]!.replace(/\s+/g, ' '), LONGEST_PREVIEW),
    trust: trustOf(store, entry),
    verdict: back === undefined ? verdictOf(hit) : 'strong',
    found_by: hit.score > 0 ? 'words' : hit.cosine === null ? 'reasons' : 'meaning',
    ...(entry.decision_type === null ? {} : { decision_type: entry.decision_type }),
    confidence: entry.confidence,
    ...(entry.supersedes === null ? {} : { supersedes: entry.supersedes }),
    ...(entry.superseded_by === null ? {} : { superseded_by: entry.superseded_by }),
    ...(back && { brings_back: { alternative: back.name, reason: back.reason ?? '' } }),
  }
}

/** Of one file of the record. */
export async function fileTrust(store: Store, path: string): Promise<DecisionTrust> {
  const entry = path.startsWith('decisions/') ? (await store.catalogue()).decisions.find(({ stem }) => decisionPath(stem) === path) : undefined
  return store.project.fromClone === true ? 'from the clone' : (entry?.trust ?? 'approved')
}

export async function readDecision(store: Pick<Store, 'read'>, stem: string): Promise<Decision | undefined> {
  const text = await store.read(decisionPath(stem))
  if (text === undefined) return undefined
  try {
    return parseDecision(text, `${stem}.md`)
  } catch {
    return undefined
  }
}

export const decisionId = (num: number): string => `decision-${String(num).padStart(3, '0')}`

/** The decision that carries a number; of several, the first by file name. */
export const entryOf = (decisions: readonly CatalogueEntry[], num: number): CatalogueEntry | undefined => decisions.find((d) => d.num === num)

export const hasOnlySeed = (decisions: readonly CatalogueEntry[]): boolean => decisions.every(isSeed)

/** One hit as a block of text: label, status, verdict, title, facts, preview. */
export function renderRelated(hit: RelatedDecision, mark = ''): string {
  const number = Number(hit.id.slice('decision-'.length))
  const score = foundBy(hit)
  const facts = [`decided ${hit.date}`, hit.decision_type, hit.confidence && `confidence ${hit.confidence}`]
  const refs = [hit.supersedes && `supersedes ${label(Number(hit.supersedes))}`, hit.superseded_by && `superseded by ${label(Number(hit.superseded_by))}`]
  return [
    `${label(number)}  ${hit.title}${trustMark(hit.trust)}${mark}`,
    `      ${[hit.verdict, hit.status, score, ...facts, ...refs].filter(Boolean).join(' · ')}`,
    ...(hit.brings_back ? wrap(`rejected there: ${hit.brings_back.alternative}: ${hit.brings_back.reason.replace(/\s+/g, ' ')}`, 90).map((line) => `      ${line}`) : []),
    ...wrap(hit.rationale_preview, 90).map((line) => `      ${line}`),
  ].join('\n')
}

/** How a hit came up, as one phrase. */
export const foundBy = (hit: RelatedDecision): string =>
  ({ words: `BM25 ${hit.score.toFixed(1)}`, reasons: 'by a rejected alternative', meaning: 'by meaning', file: 'governs the file' })[hit.found_by]

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}
