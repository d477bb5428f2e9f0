import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'
import { useActions } from '../../../frame/actions.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { Button } from '../../../kit/button.tsx'
import { EmptyState } from '../../../kit/empty-state.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { AddSource } from './add-source.tsx'
import { ServedSources } from './served-sources.tsx'
import { SourceCard } from './source-card.tsx'
import { sourceState } from './source-state.ts'
import { SyncBar } from './sync-bar.tsx'
import { TrustDialog } from './trust-dialog.tsx'
import { useSync } from './use-sync.ts'
import heading from '../heading.module.css'
import styles from './sources-page.module.css'

/** Sources of the context. */
export const SourcesPage = () => (isOffered('sync_sources') ? <OwnSources /> : <ServedSources />)

/** Status of each source, with sync actions. */
const OwnSources = () => {
  usePageTitle('Sources')
  const { data, error, refetch } = useAnswer('source_list', {})
  const { add } = useSearch({ from: '/$project/context/sources' })
  const navigate = useNavigate()
  const sync = useSync()
  const [isTrusting, setTrusting] = useState(false)
  const setAdding = (kind: string | undefined): void =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, add: kind }), replace: true })
  useActions([
    { name: 'Sync all sources', icon: 'refresh', run: () => sync.start() },
    { name: 'Add a source', icon: 'plus', run: () => setAdding('') },
  ])
  const sources = data?.sources ?? []
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h2 className={heading.pane}>Sources</h2>
        <div className={styles.actions}>
          <Button icon="plus" onClick={() => setAdding('')}>
            Add a source
          </Button>
          {sync.isRunning ? (
            <Button icon="stop" onClick={() => sync.stop()}>
              Stop
            </Button>
          ) : (
            <Button look="primary" icon="refresh" onClick={() => sync.start()} disabled={sources.length === 0}>
              Sync all
            </Button>
          )}
        </div>
      </header>
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={4} label="Loading the sources" />}
      <SyncBar sync={sync} />
      {data !== undefined && sources.length === 0 && (
        <EmptyState
          title="Sources are databases, dbt projects, repositories and documents that Ken compiles into files for agents. Add the first one."
          example={<code>shop.duckdb</code>}
          command="ken source add"
          action={
            <Button look="primary" onClick={() => setAdding('')}>
              Add a source
            </Button>
          }
        />
      )}
      <ul className={styles.sources}>
        {sources.map((source) => (
          <SourceCard
            key={source.key}
            source={source}
            state={sourceState(source)}
            sync={sync}
            onTrust={() => setTrusting(true)}
          />
        ))}
      </ul>
      {add !== undefined && <AddSource kind={add} onKind={setAdding} onClose={() => setAdding(undefined)} />}
      {isTrusting && <TrustDialog onClose={() => setTrusting(false)} />}
    </article>
  )
}
