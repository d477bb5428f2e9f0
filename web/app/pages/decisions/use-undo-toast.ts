import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { showToast } from '../../kit/toast-store.ts'

/**
 * Says what was just done to the record, and takes it back when asked to: that change and no other, so that nothing is
 * lost that somebody else did meanwhile.
 */
export function useUndoToast(): (text: string, after?: () => void) => Promise<void> {
  const project = useProject()
  const client = useQueryClient()
  return async (text, after) => {
    const change = await call(project, 'undo', { dry_run: true }).then(
      (told) => told.change,
      () => undefined,
    )
    if (change === undefined) return void showToast({ text })
    showToast({
      text,
      undo: async () => {
        await call(project, 'undo', { yes: true, only: change.id })
        after?.()
        await client.invalidateQueries({ queryKey: [project] })
        showToast({ text: 'Taken back.' })
      },
    })
  }
}
