import { DRAFT_KINDS, type DraftKind } from '../../../../../src/analyst/domain/feedback/feedback.ts'

export const REVIEW_KINDS = [...DRAFT_KINDS, 'conflict', 'proposal', 'import', 'drift'] as const
export type ReviewKind = (typeof REVIEW_KINDS)[number]

export const isDraftKind = (kind: ReviewKind | undefined): kind is DraftKind => DRAFT_KINDS.some((one) => one === kind)

/** State in a URL of the inbox. */
export interface InboxSearch {
  /** The open entry. */
  readonly draft?: string
  readonly kind?: ReviewKind
  /** Applied or dismissed drafts, instead of pending ones. */
  readonly settled?: true
}

export function readInboxSearch({ draft, kind, settled }: Record<string, unknown>): InboxSearch {
  const known = REVIEW_KINDS.find((one) => one === kind)
  return {
    ...(typeof draft === 'string' && draft !== '' && draft.length <= 60 && { draft }),
    ...(known !== undefined && { kind: known }),
    ...(settled === true && { settled }),
  }
}
