import { useAct } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'
import { showToast } from '../../../kit/toast-store.ts'
import { useUndoToast } from '../../decisions/use-undo-toast.ts'
import type { ReviewItem } from './review-items.ts'

type OfDraft = Extract<ReviewItem, { of: 'draft' }>

/** Accepts and dismisses entries of any kind, one or many, each with one undo for all of them. */
export function useReview({ onSettled }: { readonly onSettled: (items: readonly ReviewItem[]) => void }) {
  const accepting = useAct('accept')
  const applying = useAct('inbox_apply')
  const dismissing = useAct('inbox_dismiss')
  const restoring = useAct('inbox_undo')
  const report = useUndoToast()
  const restore = async (drafts: readonly OfDraft[]): Promise<void> => {
    for (const { id } of drafts) await restoring.mutateAsync({ draft: id })
    showToast({ text: 'Pending again.' })
  }
  /** Drafts first: their undo is separate from the record's. */
  const settle = async (items: readonly ReviewItem[], isAccepted: boolean): Promise<void> => {
    const drafts = items.filter((item) => item.of === 'draft')
    const done: OfDraft[] = []
    try {
      for (const draft of drafts) {
        if (isAccepted) await applying.mutateAsync({ draft: draft.id, yes: true })
        else await dismissing.mutateAsync({ draft: draft.id })
        done.push(draft)
      }
    } finally {
      if (done.length > 0)
        showToast({
          text: `${done.length === 1 ? '1 draft' : `${done.length} drafts`} ${isAccepted ? 'applied' : 'dismissed'}.`,
          undo: () => restore(done),
        })
    }
    const proposals = items.filter((item) => item.of === 'proposal')
    if (proposals.length > 0 && isAccepted) {
      await accepting.mutateAsync({ decisions: proposals.map(({ number }) => String(number)) })
      await report(
        proposals.length === 1 ? `Accepted ${proposals[0]!.mark}.` : `Accepted ${proposals.length} proposals.`,
      )
    }
    for (const item of items.filter((one) => one.of === 'import')) {
      const { number, alternatives, mark } = item
      const names = [...alternatives]
      await accepting.mutateAsync({
        decisions: [String(number)],
        ...(isAccepted ? { rejected: names } : { not_rejected: names }),
      })
      await report(isAccepted ? `Confirmed in ${mark}.` : `Removed from ${mark}.`)
    }
    onSettled(items)
  }
  const fail = (fault: unknown): void => {
    const hint = (fault as { hint?: string }).hint
    const words = fault instanceof Error ? fault.message : 'Something went wrong.'
    showToast({ text: hint === undefined ? words : `${words} ${hint}`, tone: 'bad' })
  }
  return {
    isBusy: accepting.isPending || applying.isPending || dismissing.isPending || restoring.isPending,
    accept: (items: readonly ReviewItem[]) => void settle(items, true).catch(fail),
    dismiss: (items: readonly ReviewItem[]) => void settle(items, false).catch(fail),
  }
}

export const canAccept = (item: ReviewItem): boolean =>
  item.of === 'draft' ? isOffered('inbox_apply') : item.of !== 'drift' && item.of !== 'conflict'

/** A decision is not dismissed but superseded, which needs a text. */
export const canDismiss = (item: ReviewItem): boolean => item.of === 'draft' || item.of === 'import'
