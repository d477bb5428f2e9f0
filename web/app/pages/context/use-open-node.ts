import { useNavigate, useSearch } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import type { TreeNode } from './tree/file-tree.ts'

/** Opens a file or the page of a table beside the tree. */
export function useOpenNode(): (node: TreeNode) => void {
  const project = useProject()
  const navigate = useNavigate()
  const { find } = useSearch({ from: '/$project/context' })
  const search = { ...(find !== undefined && { find }) }
  return ({ table, path }) =>
    void (table === undefined
      ? navigate({
          to: '/$project/context/file/$',
          params: { project, _splat: path },
          search,
        })
      : navigate({
          to: '/$project/context/table/$',
          params: { project, _splat: `${table.database}/${table.table}` },
          search,
        }))
}
