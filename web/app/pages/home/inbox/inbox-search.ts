import { DRAFT_KINDS, type DraftKind } from '../../../../../src/analyst/domain/feedback/feedback.ts'

/** State in a URL of the inbox. */
export interface InboxSearch {
  /** The open draft. */
  readonly draft?: string
  readonly kind?: DraftKind
  /** Applied or dismissed drafts, instead of pending ones. */
  readonly settled?: true
}

export function readInboxSearch({ draft, kind, settled }: Record<string, unknown>): InboxSearch {
  const known = DRAFT_KINDS.find((one) => one === kind)
  return {
    ...(typeof draft === 'string' && draft !== '' && draft.length <= 60 && { draft }),
    ...(known !== undefined && { kind: known }),
    ...(settled === true && { settled }),
  }
}
