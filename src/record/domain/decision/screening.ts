import { codePoints, strip } from '../../../kernel/domain/text.ts'
import { findHidden } from '../../../kernel/domain/trust/visible.ts'
import { CONFIDENCES, DECISION_TYPES, REVERSIBILITIES } from './decision.ts'
import { duplicateHash, normalizeTitle } from './duplicate.ts'

export const LIMITS = {
  title: 300,
  rationale: 10_000,
  delta: 5_000,
  question: 2_000,
  context: 5_000,
  approach: 5_000,
  alternative: 300,
  reason: 5_000,
  path: 500,
} as const
const SHORTEST_RATIONALE = 20

// Fragments that a model leaves behind when it breaks out of its tool call; never part of a decision.
const RESIDUE = [
  '</question>',
  '</rationale>',
  '</context>',
  '</parameter>',
  '</invoke>',
  '<parameter name=',
  '<invoke name=',
]

export interface Proposal {
  readonly title: string
  readonly rationale: string
  readonly confidence: string
  readonly decision_type: string | null
  readonly reversibility: string | null
  readonly rejected: readonly { readonly alternative: string; readonly reason: string }[]
}

export interface Screened {
  readonly hashes: Readonly<Record<string, unknown>>
  /** Titles of active decisions with their labels, without the one being superseded. */
  readonly activeTitles: readonly { readonly title: string; readonly label: string }[]
}

/** Why a proposal cannot be recorded, in one sentence: the first rule it breaks. Undefined if it passes. */
export function screenProposal(proposal: Proposal, known: Screened): string | undefined {
  const title = strip(proposal.title)
  const rationale = strip(proposal.rationale)
  if (title === '') return 'The title is empty. State the decision in one line.'
  if (rationale === '') return 'The rationale is empty. Say why, with constraints and tradeoffs.'
  return (
    notAMember('confidence', proposal.confidence, CONFIDENCES) ??
    notAMember('decision_type', proposal.decision_type, DECISION_TYPES) ??
    notAMember('reversibility', proposal.reversibility, REVERSIBILITIES) ??
    tooShort(rationale) ??
    faultyAlternative(proposal) ??
    duplicate(proposal, known)
  )
}

/** Why the texts of a proposal must not reach the record, checked without reading it. Undefined if they may. */
export function screenTexts(
  proposal: Pick<Proposal, 'title' | 'rationale'> & {
    readonly rejected?: Proposal['rejected'] | undefined
    readonly files_affected?: readonly string[] | undefined
  },
): string | undefined {
  const alternatives = (proposal.rejected ?? []).map(
    ({ alternative, reason }) =>
      textFault('name of a rejected alternative', alternative, LIMITS.alternative, 'one line') ??
      textFault('reason of a rejected alternative', reason, LIMITS.reason),
  )
  const paths = (proposal.files_affected ?? []).map((file) =>
    textFault('path in files_affected', file, LIMITS.path, 'one line'),
  )
  return (
    textFault('title', proposal.title, LIMITS.title, 'one line') ??
    textFault('rationale', proposal.rationale, LIMITS.rationale) ??
    [...alternatives, ...paths].find((fault) => fault !== undefined)
  )
}

/** Text that must not reach the record: too long, with invisible characters, or with tool call residue. */
export function textFault(
  name: string,
  text: string,
  limit: number,
  lines: 'one line' | 'many lines' = 'many lines',
): string | undefined {
  const length = codePoints(text)
  if (length > limit) return `The ${name} has ${length} characters; at most ${limit} are allowed. Shorten it.`
  if (lines === 'one line' && /[\n\r\u2028\u2029]/.test(text.trim())) return `The ${name} must be one line.`
  const hidden = findHidden(text)
  if (hidden !== undefined) return `The ${name} contains ${hidden.name} at character ${hidden.position}. Remove it.`
  const residue = RESIDUE.find((mark) => text.includes(mark))
  return residue === undefined
    ? undefined
    : `The ${name} contains the remains of a tool call (${residue}). Send the text alone.`
}

export const tooShort = (rationale: string): string | undefined =>
  codePoints(strip(rationale)) < SHORTEST_RATIONALE
    ? `The rationale is too short: at least ${SHORTEST_RATIONALE} characters that say why.`
    : undefined

function notAMember(name: string, value: string | null, allowed: readonly string[]): string | undefined {
  return value === null || allowed.includes(value)
    ? undefined
    : `${name} must be one of ${allowed.join(', ')}; got "${value}".`
}

function faultyAlternative(proposal: Proposal): string | undefined {
  const nameless = proposal.rejected.some((r) => strip(r.alternative) === '')
  if (nameless) return 'A rejected alternative has no name.'
  const reasonless = proposal.rejected.find((r) => strip(r.reason) === '')
  return reasonless === undefined
    ? undefined
    : `The rejected alternative "${reasonless.alternative}" has no reason. Say why it was rejected.`
}

function duplicate(proposal: Proposal, known: Screened): string | undefined {
  if (duplicateHash(proposal.title, proposal.rationale) in known.hashes)
    return 'This exact decision is already recorded.'
  const twin = known.activeTitles.find((t) => normalizeTitle(t.title) === normalizeTitle(proposal.title))
  return twin === undefined
    ? undefined
    : `${twin.label} is active and has the same title. Update or supersede it, or choose another title.`
}
