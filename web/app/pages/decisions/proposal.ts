import { CONFIDENCES, DECISION_TYPES, REVERSIBILITIES } from '../../../../src/record/domain/decision/decision.ts'
import type { Calls } from '../../api/call.ts'

export interface RejectedDraft {
  readonly alternative: string
  readonly reason: string
}

/** A decision being written. */
export interface ProposalDraft {
  readonly title: string
  readonly rationale: string
  readonly rejected: readonly RejectedDraft[]
  /** One path per line. */
  readonly files: string
  readonly type: string
  readonly confidence: string
  readonly reversibility: string
  readonly resolves: readonly string[]
}

export const EMPTY_PROPOSAL: ProposalDraft = {
  title: '',
  rationale: '',
  rejected: [],
  files: '',
  type: '',
  confidence: 'medium',
  reversibility: '',
  resolves: [],
}

type Input = Calls['propose_decision']['input']

/** Converts the draft to the operation's input; empty rows are left out. */
export function toInput(draft: ProposalDraft, supersedes: readonly number[]): Input {
  const files = pathsOf(draft.files)
  const rejected = draft.rejected.filter((one) => one.alternative.trim() !== '' || one.reason.trim() !== '')
  const confidence = CONFIDENCES.find((one) => one === draft.confidence)
  const type = DECISION_TYPES.find((one) => one === draft.type)
  const reversibility = REVERSIBILITIES.find((one) => one === draft.reversibility)
  return {
    title: draft.title.trim(),
    rationale: draft.rationale,
    ...(supersedes.length > 0 && {
      operation: 'supersede' as const,
      affected_decision_id: supersedes.map((number) => `D${number}`).join(', '),
    }),
    ...(rejected.length > 0 && { rejected: [...rejected] }),
    ...(files.length > 0 && { files_affected: files }),
    ...(type && { decision_type: type }),
    ...(confidence && { confidence }),
    ...(reversibility && { reversibility }),
    ...(draft.resolves.length > 0 && { resolves_questions: [...draft.resolves] }),
  }
}

/** Paths, one per line or separated by commas, without duplicates. */
export const pathsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,]/)
      .map((path) => path.trim())
      .filter((path) => path !== ''),
  ),
]

/** Whether the draft has enough text to be checked. */
export const isBegun = ({ title, rationale }: ProposalDraft): boolean =>
  title.trim().length >= 3 || rationale.trim().length >= 12
