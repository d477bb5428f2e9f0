import type { TreeNode } from './file-tree.ts'

/** A visible node, with its attributes for screen readers. */
export interface TreeRow {
  readonly node: TreeNode
  readonly level: number
  readonly isOpen: boolean
  readonly position: number
  readonly size: number
  /** Row index of its folder; -1 at the top. */
  readonly parent: number
}

/** Rows of a tree: the content of open folders. With words, the matches with their parent folders. */
export function treeRows(nodes: readonly TreeNode[], open: ReadonlySet<string>, words = ''): readonly TreeRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = wanted.length === 0 ? nodes : fitting(nodes, wanted)
  // During a search folders are open unless the reader closed them; a table is closed, because it is itself the match.
  const isOpened = ({ path, kind }: TreeNode, isSought: boolean): boolean =>
    isSought && kind === 'folder' ? !open.has(closedKey(path)) : open.has(path)
  const rows: TreeRow[] = []
  const add = (list: readonly TreeNode[], level: number, parent: number): void => {
    for (const [at, node] of list.entries()) {
      const isOpen = node.children.length > 0 && isOpened(node, wanted.length > 0)
      rows.push({ node, level, isOpen, position: at + 1, size: list.length, parent })
      if (isOpen) add(node.children, level + 1, rows.length - 1)
    }
  }
  add(shown, 1, -1)
  return rows
}

/** Key of a folder that was closed during a search. */
export const closedKey = (path: string): string => `closed:${path}`

function fitting(nodes: readonly TreeNode[], words: readonly string[]): readonly TreeNode[] {
  return nodes.flatMap((node) => {
    const path = `${node.path} ${node.label}`.toLowerCase()
    if (words.every((word) => path.includes(word))) return [node]
    const children = fitting(node.children, words)
    return children.length === 0
      ? []
      : [{ ...node, children, files: children.reduce((sum, one) => sum + one.files, 0) }]
  })
}

/** Parent folders of a path, to make it visible. */
export function leadingTo(nodes: readonly TreeNode[], path: string): readonly string[] {
  for (const node of nodes) {
    if (node.path === path) return []
    if (path.startsWith(`${node.path}/`)) return [node.path, ...leadingTo(node.children, path)]
  }
  return []
}
