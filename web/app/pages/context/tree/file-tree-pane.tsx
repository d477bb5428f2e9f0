import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { useKeys } from '../../../frame/keys/use-keys.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { FindField } from '../../../kit/find-field.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { useOpenNode } from '../use-open-node.ts'
import { buildTree } from './file-tree.ts'
import { TreeView } from './tree-view.tsx'
import styles from './file-tree-pane.module.css'

/** The compiled files and the files written by people, with a search field. */
export const FileTree = () => {
  const project = useProject()
  const { data, error, refetch } = useAnswer('context_files', {})
  const nodes = useMemo(() => buildTree(data?.files ?? []), [data])
  const { find = '' } = useSearch({ from: '/$project/context' })
  const { _splat: rest = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const open = useOpenNode()
  const field = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', does: 'Find a file or table', group: 'Context', run: () => field.current?.focus() }])
  const setFind = (text: string): void =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, find: text === '' ? undefined : text }),
      replace: true,
    })
  return (
    <>
      <div className={styles.find}>
        <FindField ref={field} label="Find a file or table" value={find} onChange={setFind} />
      </div>
      {error && error.code !== 'not_found' && <FaultNote fault={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={8} label="Loading the files" />}
      {data !== undefined && (
        <TreeView key={project} nodes={nodes} words={find} shown={pathShown(rest, data.files)} onShow={open} />
      )}
      {data !== undefined && data.more > 0 && (
        <p className={styles.more}>{data.more.toLocaleString('en-US')} more files not shown.</p>
      )}
    </>
  )
}

/** Tree path of the open item: that of a file, or the folder of a table. */
function pathShown(
  rest: string,
  files: readonly {
    readonly path: string
    readonly table?: string | undefined
    readonly database?: string | undefined
  }[],
): string {
  if (files.some(({ path }) => path === rest)) return rest
  const found = files.find(({ table, database }) => table !== undefined && `${database}/${table}` === rest)
  return found === undefined ? '' : found.path.slice(0, found.path.lastIndexOf('/'))
}
