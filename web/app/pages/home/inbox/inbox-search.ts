import { DRAFT_KINDS, type DraftKind } from '../../../../../src/analyst/domain/feedback/feedback.ts'

/** What an address of the inbox says. */
export interface InboxSearch {
  /** The draft that is open. */
  readonly draft?: string
  readonly kind?: DraftKind
  /** Those that were applied or dismissed, instead of those that wait. */
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
