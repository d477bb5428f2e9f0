import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { isOffered, isTeam } from '../../api/server.ts'
import { keep, kept, readKept } from '../../kit/kept-text.ts'
import { Store, useStore } from '../../kit/store.ts'
import { noticesOf, type Notice } from './notices.ts'

const EVERY_MS = 5 * 60_000
// Drift reads the whole repository and its history, which can take longer than a server allows.
const DRIFT_LASTS_MS = 30 * 60_000
const MOST_DISMISSED = 200

/** Incremented on every dismissal. */
const dismissals = new Store(0)

/**
 * Notices that the reader has not dismissed in this browser. Without a record or sources nothing is asked for them.
 * `isOpen`: the list is shown, so drift is looked for too.
 */
export function useNotices({ isOpen }: { readonly isOpen: boolean }): {
  readonly notices: readonly Notice[]
  /** Whether drift is still being looked for. */
  readonly isChecking: boolean
  dismiss(gone: readonly Notice[]): void
} {
  const project = useProject()
  const overview = useAnswer('overview', {})
  const stories = useAnswer('stories_list', {}, { every: EVERY_MS })
  const hasContext = overview.data?.context !== undefined
  const sources = useAnswer('source_list', {}, { enabled: hasContext, every: EVERY_MS })
  const record = overview.data?.record
  // Not below the project's key, because every change of the project would run it again.
  const drift = useQuery({
    queryKey: ['notices of drift', project],
    queryFn: ({ signal }) => call(project, 'drift', {}, signal),
    enabled:
      isOpen && record !== undefined && record.decisions > 0 && !record.from_clone && !isTeam() && isOffered('drift'),
    staleTime: DRIFT_LASTS_MS,
    gcTime: DRIFT_LASTS_MS,
    refetchOnWindowFocus: false,
    // Outside of a repository there is no drift.
    retry: false,
  })
  useStore(dismissals)
  const key = `ken.notices.${project}`
  const gone = readGone(kept(key))
  const all = useMemo(
    () =>
      noticesOf(
        {
          stories: stories.data?.stories ?? [],
          sources: hasContext ? (sources.data?.sources ?? []) : [],
          drift: drift.data?.findings ?? [],
        },
        Date.now(),
        { isServed: isTeam() },
      ),
    [stories.data, sources.data, drift.data, hasContext],
  )
  return {
    notices: all.filter(({ id }) => !gone.includes(id)),
    isChecking: drift.isLoading,
    dismiss(more) {
      keep(key, JSON.stringify([...gone, ...more.map(({ id }) => id)].slice(-MOST_DISMISSED)))
      dismissals.set(dismissals.get() + 1)
    },
  }
}

function readGone(text: string | undefined): readonly string[] {
  const read = readKept(text)
  return Array.isArray(read) ? read.filter((id) => typeof id === 'string') : []
}
