import { strip } from '../../../kernel/domain/text.ts'
import type { RejectedAlternative } from './decision.ts'

const NOT_REVIEWED = 'inferred by the import, not reviewed'

const LEAD = '*Inferred by the import, not reviewed:*'
// Not only at the start: an export may put the mark after a bullet, and a person may move it.
const MARK = /\*Inferred by the import, not reviewed:\*(?: "([^\n]*)")?/

/**
 * The reason of a rejected alternative that was inferred from a sentence. The mark is part of the decision file's text,
 * so that it survives an export, a merge and other programs; a person who deletes it has reviewed the reason.
 */
export const inferredReason = (sentence: string, reason: string): string =>
  [`${LEAD} "${sentence.replaceAll('"', "'")}"`, strip(reason)].filter(Boolean).join('\n\n')

export const isInferred = ({ reason }: Pick<RejectedAlternative, 'reason'>): boolean => MARK.test(reason ?? '')

/** The sentence that a rejection was inferred from; undefined if it is stated. */
export const inferredFrom = ({ reason }: Pick<RejectedAlternative, 'reason'>): string | undefined => {
  const found = MARK.exec(reason ?? '')
  return found === null ? undefined : (found[1] ?? '')
}

/** The reason without the mark; if nothing else remains, the sentence is the reason. */
export function reviewedReason({ reason }: Pick<RejectedAlternative, 'reason'>): string | null {
  const sentence = inferredFrom({ reason })
  if (reason === null || sentence === undefined) return reason
  return strip(reason.replace(MARK, '')) || sentence || null
}

/** Note for a rejection that the text does not state. */
export const inferredNote = (alternative: { readonly inferred?: boolean | undefined }): string =>
  alternative.inferred === true ? ` (${NOT_REVIEWED})` : ''

/** How a decision rejected an alternative, including the alternative's name. */
export const rejectedPhrase = ({ name, reason }: RejectedAlternative): string =>
  isInferred({ reason }) ? `seems to have rejected ${name} (${NOT_REVIEWED})` : `rejected ${name}`
