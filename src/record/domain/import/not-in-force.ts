import type { Decision } from '../decision/decision.ts'
import { label } from '../decision/decision.ts'
import { importedDecision } from './placement.ts'

/** An ADR that is marked as no longer in force and does not name a successor. */
export interface EndedAdr {
  readonly num: number
  readonly title: string
  /** As written, e.g. "Rejected on 3 May". */
  readonly status: string
  readonly isRejected: boolean
}

const NOT_IN_FORCE_TITLE = 'Rejected or retired ADRs'

/** Whether a title is the title of the collecting decision, including the title that earlier imports gave it. */
export const isNotInForceTitle = (title: string): boolean =>
  title === NOT_IN_FORCE_TITLE || title === 'ADRs that were turned down or retired'

const LEAD =
  'These architecture decision records are marked as rejected or retired and name no successor. They are kept with their full text, as decisions that this one supersedes.'

/**
 * A record has only the statuses active and superseded. ADRs rejected or retired without a successor are superseded by
 * this one decision, which rejects the rejected ADRs by name, so that their reintroduction is detected.
 */
export function notInForce(ended: readonly EndedAdr[], num: number, today: string): Decision {
  return importedDecision({
    num,
    title: NOT_IN_FORCE_TITLE,
    rationale: `${LEAD}\n\n${lines(ended)}`,
    date: today,
    confidence: 'high',
    rejected: turnedDown(ended),
  })
}

/** Changes that add more ADRs to that decision. */
export const withMoreEnded = (
  old: Decision,
  ended: readonly EndedAdr[],
): Pick<Decision, 'version' | 'rationale' | 'rejected'> => ({
  version: old.version + 1,
  rationale: `${old.rationale}\n${lines(ended)}`,
  rejected: [...old.rejected, ...turnedDown(ended)],
})

const lines = (ended: readonly EndedAdr[]): string =>
  ended.map(({ num, title, status }) => `- ${label(num)} ${title}: ${status}`).join('\n')

const turnedDown = (ended: readonly EndedAdr[]): Decision['rejected'] =>
  ended
    .filter(({ isRejected }) => isRejected)
    .map(({ num, title, status }) => ({ name: title, reason: `Its ADR is marked "${status}"; see ${label(num)}.` }))
