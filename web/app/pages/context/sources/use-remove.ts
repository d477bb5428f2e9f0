import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { useProject } from '../../../api/queries.ts'
import { showToast } from '../../../kit/toast-store.ts'
import type { SourceRow } from './source-state.ts'

/** Removes a source from ken.yaml at once. Undo restores the text, unless it was changed in the meantime. */
export function useRemove(): (source: SourceRow) => void {
  const project = useProject()
  const client = useQueryClient()
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: [project] })
  const remove = async ({ key, name, trusted, reaches }: SourceRow): Promise<void> => {
    const before = await call(project, 'context_show', { file: 'ken.yaml' })
    const { files } = await call(project, 'source_remove', { name: key })
    const after = await call(project, 'context_show', { file: 'ken.yaml' })
    await refresh()
    const undo = async (): Promise<void> => {
      await call(project, 'context_save', { file: 'ken.yaml', text: before.text, expect: after.version })
      await refresh()
      if (trusted && reaches.length > 0) showToast({ text: `${name} restored. Review and trust it again.` })
    }
    const told = files === 0 ? '' : ` The next sync deletes its ${files} files.`
    showToast({ text: `Removed ${name}.${told}`, ...(before.fixed === undefined && { undo }) })
  }
  return (source) =>
    void remove(source).catch((fault: unknown) =>
      showToast({ text: fault instanceof Error ? fault.message : `Can’t remove ${source.name}.`, tone: 'bad' }),
    )
}
