import { Link } from '@tanstack/react-router'
import { plural } from '../../../../../src/kernel/domain/text.ts'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import { InUse } from '../in-use/in-use.tsx'
import { sourceState, type SourceRow } from '../sources/source-state.ts'
import { StateMark } from '../sources/state-mark.tsx'
import { TableList } from './table-list.tsx'
import styles from './overview.module.css'

/** Content and freshness of the context, and its tables. */
export const Overview = () => {
  usePageTitle('Context')
  const project = useProject()
  const { data: tree } = useAnswer('context_files', {})
  const { data: sources, error, refetch } = useAnswer('source_list', {})
  const { data: tables } = useAnswer('list_tables', { limit: 1000 })
  if (error) return <Broken fault={error} again={() => void refetch()} />
  if (sources === undefined || tree === undefined) return <Skeleton rows={6} label="Loading the context" />
  const tokens = sources.sources.reduce((sum, one) => sum + one.tokens, 0)
  const synced = sources.sources
    .flatMap((one) => one.checked ?? one.synced ?? [])
    .toSorted()
    .at(-1)
  return (
    <article className={styles.overview}>
      <p className={styles.about}>
        {plural(tables?.total ?? 0, 'table')} and {plural(tree.files.length, 'file')} for agents, about{' '}
        {tokens.toLocaleString('en-US')} tokens.{' '}
        {synced === undefined ? (
          'Not synced yet.'
        ) : (
          <>
            Last synced <TimeAgo at={synced} />.
          </>
        )}
      </p>
      <InUse />
      <section aria-labelledby="context-sources">
        <h2 id="context-sources" className={styles.heading}>
          Sources
        </h2>
        {sources.sources.length === 0 ? (
          <p className={styles.line}>
            No sources in ken.yaml yet.{' '}
            {isOffered('source_add') && (
              <>
                <Link to="/$project/context/sources" params={{ project }} search={{ add: '' }}>
                  Add one
                </Link>
                .
              </>
            )}
          </p>
        ) : (
          <ul>
            {sources.sources.map((one) => (
              <SourceLine key={one.key} source={one} />
            ))}
          </ul>
        )}
      </section>
      {tables !== undefined && tables.total > 0 && <TableList tables={tables.tables} total={tables.total} />}
    </article>
  )
}

const Broken = ({ fault, again }: { fault: Error; again: () => void }) => {
  const project = useProject()
  return (
    <article className={styles.overview}>
      <FaultNote fault={fault} again={again} />
      {isOffered('context_save') && (
        <p className={styles.line}>
          <Link to="/$project/context/config" params={{ project }}>
            Open ken.yaml
          </Link>{' '}
          to fix it here.
        </p>
      )}
    </article>
  )
}

/** One source in one line. */
const SourceLine = ({ source }: { source: SourceRow }) => {
  const state = sourceState(source)
  return (
    <li className={styles.source}>
      <Link to="/$project/context/sources" params={{ project: useProject() }} hash={source.key} className={styles.name}>
        {source.name}
      </Link>
      <span className={styles.soft}>{source.type}</span>
      <StateMark state={state} />
      <span className={styles.soft}>{source.synced !== undefined && <TimeAgo at={source.synced} />}</span>
      {state.reason !== undefined && <p className={styles.reason}>{state.reason}</p>}
    </li>
  )
}
