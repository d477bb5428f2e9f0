import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { showToast } from '../../kit/toast-store.ts'

/** Reports a change to the record, with an undo for exactly that change, so that concurrent changes are not lost. */
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
        showToast({ text: 'Undone.' })
      },
    })
  }
}
