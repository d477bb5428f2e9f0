import { HIGHEST_FOLLOWED, numbersAfter } from '../decision/decision-id.ts'
import type { Confidence, Decision, RejectedAlternative, Status } from '../decision/decision.ts'
import { duplicateHash, normalizeTitle } from '../decision/duplicate.ts'
import { DecisionFault } from '../decision/fault.ts'
import { formatFaithfully } from '../decision/format.ts'

/** A decision already in the record. */
export interface KnownDecision {
  readonly num: number
  readonly title: string
  readonly status: Status
  readonly superseded_by: string | null
  readonly hash: string
}

export interface KnownRecord {
  readonly decisions: readonly KnownDecision[]
  /** Every number in use, including those of unreadable files. */
  readonly taken: ReadonlySet<number>
  /** The number of the decision that only started the record, if nothing refers to it: an imported one may take it. */
  readonly seed?: number | undefined
  /** The decision that each source text was imported as, by the text's SHA-256. */
  readonly sources: ReadonlyMap<string, number>
}

/** A decision about to be imported. */
export interface ImportCandidate {
  readonly title: string
  readonly rationale: string
  readonly status: Status
  /** SHA-256 of its source text. */
  readonly source: string
}

/** The existing decision that a candidate repeats: the same source, the same text, or the same title still active. */
export function findTwin(candidate: ImportCandidate, known: KnownRecord): KnownDecision | undefined {
  const { decisions } = known
  const title = normalizeTitle(candidate.title)
  const hash = duplicateHash(candidate.title, candidate.rationale)
  return (
    decisions.find((d) => d.num === known.sources.get(candidate.source)) ??
    decisions.find((d) => d.hash === hash) ??
    decisions.find((d) => d.status === 'active' && normalizeTitle(d.title) === title) ??
    decisions.find((d) => candidate.status === 'superseded' && normalizeTitle(d.title) === title)
  )
}

/** Keeps each requested number if free, then continues from the highest; `reserved` numbers may be needed later. */
export function assignNumbers(
  wanted: readonly (number | undefined)[],
  taken: ReadonlySet<number>,
  reserved: readonly number[] = [],
): number[] {
  const used = new Set(taken)
  const kept = wanted.map((num) => {
    if (num === undefined || num > HIGHEST_FOLLOWED || used.has(num)) return undefined
    used.add(num)
    return num
  })
  const next = numbersAfter([...used, ...reserved])
  return kept.map((num) => num ?? next())
}

export interface DecisionParts {
  readonly num: number
  readonly title: string
  readonly rationale: string
  readonly date: string
  readonly confidence: Confidence
  readonly rejected: readonly RejectedAlternative[]
  readonly supersedes?: number | undefined
  readonly superseded_by?: number | undefined
}

export function importedDecision(parts: DecisionParts): Decision {
  return {
    date: parts.date,
    confidence: parts.confidence,
    version: 1,
    status: parts.superseded_by === undefined ? 'active' : 'superseded',
    decision_type: null,
    reversibility: null,
    source: 'import',
    files_affected: [],
    supersedes: ref(parts.supersedes),
    superseded_by: ref(parts.superseded_by),
    rejected: parts.rejected,
    num: parts.num,
    title: parts.title,
    rationale: parts.rationale,
    body: '',
    content: '',
  }
}

const ref = (num: number | undefined): string | null => (num === undefined ? null : String(num))

/** Why a text cannot be in a decision file; undefined if it can. */
export function unfaithful({
  title,
  rationale,
  rejected = [],
  exact = importedDecision({ title, rationale, rejected, num: 1, date: '2000-01-01', confidence: 'medium' }),
}: {
  title: string
  rationale: string
  rejected?: readonly RejectedAlternative[]
  exact?: Decision
}): string | undefined {
  try {
    formatFaithfully(exact)
    return undefined
  } catch (fault) {
    if (fault instanceof DecisionFault) return fault.message
    throw fault
  }
}
