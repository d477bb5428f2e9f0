import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAnswer, useProject } from '../../api/queries.ts'
import { isOffered, isTeam } from '../../api/server.ts'
import { stream } from '../../api/stream.ts'
import { sourceTrouble } from '../../frame/notices/source-trouble.ts'
import { Button } from '../../kit/button.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { HomeRow } from './home-row.tsx'
import { HomeSection } from './home-section.tsx'

const MOST = 5

/** Stale or failing sources. */
export const SourceLines = () => {
  const answer = useAnswer('source_list', {})
  const { sync, syncing } = useSync()
  const now = Date.now()
  const sources = answer.data?.sources ?? []
  const troubled = sources.flatMap((source) => {
    const trouble = sourceTrouble(source, now, { isServed: isTeam() })
    return trouble === undefined ? [] : [{ source, trouble }]
  })
  return (
    <HomeSection
      title="Stale or failing sources"
      count={troubled.length}
      all={{ to: 'context/sources', label: 'All sources' }}
      state={answer}
      calm={sources.length === 0 ? 'No sources in ken.yaml yet.' : 'Every source was synced within the last week.'}
    >
      {troubled.length > 0 && (
        <ul>
          {troubled.slice(0, MOST).map(({ source, trouble }) => (
            <HomeRow
              key={source.key}
              to="context/sources"
              mark={trouble.tone === 'bad' ? '✗' : '○'}
              title={source.name}
              more={syncing?.name === source.name ? syncing.message : trouble.why}
              end={
                <>
                  {trouble.since !== undefined && <TimeAgo at={trouble.since} />}
                  {isOffered('sync_sources') && source.problem === undefined && source.trusted && (
                    <Button size="small" busy={syncing?.name === source.name} onClick={() => void sync(source.name)}>
                      Sync
                    </Button>
                  )}
                </>
              }
            />
          ))}
        </ul>
      )}
    </HomeSection>
  )
}

/** Syncs one source again and reports its progress. */
function useSync() {
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
