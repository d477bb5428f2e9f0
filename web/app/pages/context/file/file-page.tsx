import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { unframe } from '../../../../../src/context/domain/context-project/framed-file.ts'
import { call, type Calls } from '../../../api/call.ts'
import type { Fault } from '../../../api/fault.ts'
import { useAnswer, useProject, queryKey } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { FileBody } from './file-body.tsx'
import { FileFacts } from './file-facts.tsx'
import { FileInspector } from './file-inspector.tsx'
import heading from '../heading.module.css'
import styles from './file-page.module.css'

/** One file of the context: Markdown to read, anything else as its text. */
export const FilePage = () => {
  const { _splat: path = '' } = useParams({ strict: false })
  const { view } = useSearch({ from: '/$project/context/file/$' })
  usePageTitle(path.slice(path.lastIndexOf('/') + 1))
  const file = useFile(path)
  const { data } = useAnswer('context_files', {})
  const facts = data?.files.find((one) => one.path === path)
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <p className={styles.folder}>{path.slice(0, Math.max(0, path.lastIndexOf('/')))}</p>
        <div className={styles.title}>
          <h2 className={heading.pane}>{path.slice(path.lastIndexOf('/') + 1)}</h2>
          <Actions path={path} text={file.text} isSource={view === 'source'} />
        </div>
        <FileFacts facts={facts} stale={file.stale} />
        {facts && <FileInspector facts={facts} stale={file.stale} lines={file.lines} />}
      </header>
      {file.fault ? (
        <FaultNote fault={file.fault} />
      ) : file.text === '' && file.isLoading ? (
        <Skeleton rows={10} />
      ) : null}
      <FileBody path={path} text={bodyOf(file.text, view)} isSource={view === 'source'} />
      {file.more && (
        <p className={styles.more}>
          Lines 1–{file.read.toLocaleString('en-US')} of {file.lines.toLocaleString('en-US')}.{' '}
          <Button size="small" onClick={file.more} busy={file.isLoading}>
            Show more
          </Button>
        </p>
      )}
    </article>
  )
}

/** Removes Ken's frontmatter, which is shown in a separate line. */
const bodyOf = (text: string, view: 'source' | undefined): string =>
  view === 'source' ? text : (unframe(text) ?? text)

const Actions = ({ path, text, isSource }: { path: string; text: string; isSource: boolean }) => {
  const project = useProject()
  const navigate = useNavigate()
  const { data } = useAnswer('context_files', {})
  const table = data?.files.find((one) => one.path === path)
  return (
    <div className={styles.actions}>
      {table?.table !== undefined && (
        <Link to="/$project/context/table/$" params={{ project, _splat: `${table.database}/${table.table}` }}>
          Open the table
        </Link>
      )}
      {path === 'RULES.md' && isOffered('context_save') && (
        <Link to="/$project/context/rules" params={{ project }}>
          Edit
        </Link>
      )}
      {path.endsWith('.md') && (
        <Button
          size="small"
          look="quiet"
          aria-pressed={isSource}
          onClick={() =>
            void navigate({ to: '.', search: (now: object) => ({ ...now, view: isSource ? undefined : 'source' }) })
          }
        >
          Source
        </Button>
      )}
      <CopyButton text={text} label="Copy" />
    </div>
  )
}

type Part = Calls['read_file']['output']

interface OpenFile {
  /** The lines that were read so far. */
  readonly text: string
  readonly lines: number
  readonly read: number
  readonly stale: string | undefined
  readonly isLoading: boolean
  readonly fault: Fault | null
  readonly more: (() => void) | undefined
}

/** A file of the context, loaded by line ranges. */
function useFile(path: string): OpenFile {
  const project = useProject()
  const query = useInfiniteQuery<Part, Fault, { pages: Part[] }, readonly unknown[], number>({
    queryKey: [...queryKey(project, 'read_file', { path }), 'parts'],
    queryFn: ({ pageParam, signal }) => call(project, 'read_file', { path, from: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ to, lines }) => (to < lines ? to + 1 : undefined),
  })
  const parts = query.data?.pages ?? []
  const last = parts.at(-1)
  return {
    text: parts.map(({ text }) => text).join('\n'),
    lines: last?.lines ?? 0,
    read: last?.to ?? 0,
    stale: parts[0]?.stale,
    isLoading: query.isPending || query.isFetchingNextPage,
    fault: query.error,
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  }
}
