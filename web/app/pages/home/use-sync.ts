import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../api/queries.ts'
import { stream } from '../../api/stream.ts'
import { showToast } from '../../kit/toast-store.ts'

/** Syncs one source again and reports its progress. */
export function useSync() {
  const project = useProject()
  const client = useQueryClient()
  const [syncing, setSyncing] = useState<{ readonly name: string; readonly message: string }>()
  const sync = async (name: string): Promise<void> => {
    setSyncing({ name, message: 'Syncing' })
    try {
      const { failures } = await stream(
        project,
        'sync_sources',
        { only: [name] },
        { onProgress: ({ message }) => setSyncing({ name, message }), id: `sync-${name}` },
      )
      const [first] = failures
      if (first === undefined) showToast({ text: `${name} is up to date.` })
      else showToast({ text: `${name}: ${first.message}`, tone: 'bad' })
    } catch (fault) {
      showToast({ text: fault instanceof Error ? fault.message : 'Sync failed.', tone: 'bad' })
    } finally {
      setSyncing(undefined)
      await client.invalidateQueries({ queryKey: [project] })
    }
  }
  return { sync, syncing }
}
