import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { unframe } from '../../../../../src/context/domain/context-project/framed-file.ts'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { FileBody } from './file-body.tsx'
import { FileFacts } from './file-facts.tsx'
import { FileInspector } from './file-inspector.tsx'
import { useFile } from './use-file.ts'
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
