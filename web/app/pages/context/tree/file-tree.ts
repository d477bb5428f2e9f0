export interface TreeFile {
  readonly path: string
  readonly bytes: number
  readonly source?: string | undefined
  readonly table?: string | undefined
  readonly database?: string | undefined
  readonly stale?: string | undefined
}

/** A folder, a table (a folder with the files about it), or a file. */
export interface TreeNode {
  /** Path of the node; a chain of folders with a single child is one node, with the path of the last. */
  readonly path: string
  readonly label: string
  readonly kind: 'folder' | 'table' | 'file'
  readonly children: readonly TreeNode[]
  /** Number of files below it, including itself. */
  readonly files: number
  /** Whether anything below it is stale. */
  readonly isStale: boolean
  readonly file?: TreeFile
  /** URL parameters of a table's page. */
  readonly table?: { readonly database: string; readonly table: string }
}

/** Placeholder and configuration files of other programs, which are not worth reading here. */
const HIDDEN = /(?:^|\/)\.[^/]*$/

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: TreeFile[]
}

/** Builds folders from files; folders come first, each list sorted by name. */
export function buildTree(files: readonly TreeFile[]): readonly TreeNode[] {
  const root: Folder = { folders: new Map(), files: [] }
  for (const file of files) {
    if (HIDDEN.test(file.path)) continue
    let at = root
    for (const part of file.path.split('/').slice(0, -1)) {
      const next = at.folders.get(part) ?? { folders: new Map(), files: [] }
      at.folders.set(part, next)
      at = next
    }
    at.files.push(file)
  }
  return nodesOf(root, '')
}

function nodesOf(folder: Folder, path: string): readonly TreeNode[] {
  const below = path === '' ? '' : `${path}/`
  const folders = [...folder.folders].map(([name, inner]) => folderNode(name, inner, below + name))
  const files = folder.files.map(fileNode)
  return [...folders.toSorted(byLabel), ...files.toSorted(byLabel)]
}

function folderNode(name: string, folder: Folder, path: string): TreeNode {
  const [only] = folder.folders
  const isTable = isTableFolder(name, folder)
  if (!isTable && only !== undefined && folder.folders.size === 1 && folder.files.length === 0) {
    const inner = folderNode(only[0], only[1], `${path}/${only[0]}`)
    // A table keeps its own row, so that it is listed among tables.
    if (inner.kind === 'folder') return { ...inner, label: `${labelOf(name)} / ${inner.label}` }
  }
  const children = nodesOf(folder, path)
  const [first] = folder.files
  return {
    path,
    label: labelOf(name),
    kind: isTable ? 'table' : 'folder',
    children,
    files: children.reduce((sum, child) => sum + child.files, 0),
    isStale: children.some((child) => child.isStale),
    ...(isTable && { table: { database: first!.database!, table: first!.table! } }),
  }
}

const fileNode = (file: TreeFile): TreeNode => ({
  path: file.path,
  label: file.path.slice(file.path.lastIndexOf('/') + 1),
  kind: 'file',
  children: [],
  files: 1,
  isStale: file.stale !== undefined,
  file,
})

/** Recognised by its compiled files, not by its name: a user's folder may have such a name. */
const isTableFolder = (name: string, { folders, files }: Folder): boolean =>
  name.startsWith('table=') &&
  folders.size === 0 &&
  files.length > 0 &&
  files.every(({ table, database }) => table !== undefined && database !== undefined)

/** Removes the prefix of a folder name, as in `table=orders`. */
const labelOf = (name: string): string => name.replace(/^(?:type|database|schema|table)=(?=.)/, '')

const byLabel = (a: TreeNode, b: TreeNode): number => COLLATOR.compare(a.label, b.label)
const COLLATOR = new Intl.Collator('en', { numeric: true })
