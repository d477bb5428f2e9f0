import { useAct } from '../../../api/queries.ts'
import { showToast } from '../../../kit/toast-store.ts'
import { appliedWords, dismissedWords, type DraftLine } from './draft-words.ts'

type Named = Pick<DraftLine, 'id' | 'kind'>

/** Applies, dismisses and restores drafts; each action reports its result and offers an undo. */
export function useSettle({ onSettled }: { onSettled?: (draft: Named) => void } = {}) {
  const applying = useAct('inbox_apply')
  const dismissing = useAct('inbox_dismiss')
  const undoing = useAct('inbox_undo')
  const undo = async ({ id }: Pick<Named, 'id'>): Promise<void> => {
    const { was, removed, where } = await undoing.mutateAsync({ draft: id })
    const gone = was === 'applied' && !removed && where !== undefined
    showToast({ text: gone ? `Pending again; it was no longer in ${where}.` : 'Pending again.' })
  }
  const fail = (fault: unknown): void => {
    const hint = (fault as { hint?: string }).hint
    const words = fault instanceof Error ? fault.message : 'Something went wrong.'
    showToast({ text: hint === undefined ? words : `${words} ${hint}`, tone: 'bad' })
  }
  const apply = async (draft: Named): Promise<void> => {
    const { where } = await applying.mutateAsync({ draft: draft.id, yes: true })
    showToast({ text: appliedWords(draft.kind, where), undo: () => undo(draft) })
    onSettled?.(draft)
  }
  const dismiss = async (draft: Named): Promise<void> => {
    await dismissing.mutateAsync({ draft: draft.id })
    showToast({ text: dismissedWords(draft.kind), undo: () => undo(draft) })
    onSettled?.(draft)
  }
  return {
    isBusy: applying.isPending || dismissing.isPending || undoing.isPending,
    apply: (draft: Named) => void apply(draft).catch(fail),
    dismiss: (draft: Named) => void dismiss(draft).catch(fail),
    undo: (draft: Pick<Named, 'id'>) => void undo(draft).catch(fail),
  }
}
