import type { TreeFile } from '../ports/repository-history.ts'
import type { ObjectReader } from './object-reader.ts'

/** The files of commits, read tree by tree: shared trees are read once. */
export interface Trees {
  /** Plain files at or below a path; '' for all. */
  files(commit: string, below: string): Promise<readonly TreeFile[]>
}

interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
  readonly id: string
}

const MOST_TREE = 16 * 1024 * 1024
const MOST_COMMIT = 1024 * 1024
// Deeper than any working tree can be checked out on every platform.
const DEEPEST = 200
const MOST_FILES = 500_000

export function openTrees(objects: ObjectReader): Trees {
  const trees = new Map<string, readonly Entry[]>()
  const roots = new Map<string, string | undefined>()

  async function rootOf(commit: string): Promise<string | undefined> {
    if (!roots.has(commit)) {
      const [text] = await objects.read([commit], MOST_COMMIT)
      roots.set(commit, /^tree ([0-9a-f]+)\n/.exec(text?.toString('latin1') ?? '')?.[1])
    }
    return roots.get(commit)
  }

  /** Makes one request to git per level of folders. */
  async function load(ids: readonly string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !trees.has(id))
    const found = await objects.read(unknown, MOST_TREE)
    unknown.forEach((id, i) => trees.set(id, found[i] === undefined ? [] : entriesOf(found[i], id.length / 2)))
  }

  async function find(commit: string, path: string): Promise<Entry | undefined> {
    const root = await rootOf(commit)
    let at: Entry | undefined = root === undefined ? undefined : { name: '', kind: 'folder', id: root }
    for (const name of path === '' ? [] : path.split('/').slice(0, DEEPEST)) {
      if (at?.kind !== 'folder') return undefined
      await load([at.id])
      at = trees.get(at.id)!.find((entry) => entry.name === name)
    }
    return at
  }

  return {
    async files(commit, below) {
      const start = await find(commit, below)
      if (start?.kind === 'file') return [{ path: below, content: start.id }]
      const files: TreeFile[] = []
      let folders = start?.kind === 'folder' ? [{ path: below, id: start.id }] : []
      for (let depth = 0; folders.length > 0 && depth < DEEPEST && files.length < MOST_FILES; depth++) {
        await load(folders.map(({ id }) => id))
        const inside = folders.flatMap(({ path, id }) =>
          trees.get(id)!.map((entry) => ({ ...entry, path: path === '' ? entry.name : `${path}/${entry.name}` })),
        )
        files.push(...inside.filter(({ kind }) => kind === 'file').map(({ path, id }) => ({ path, content: id })))
        folders = inside.filter(({ kind }) => kind === 'folder')
      }
      return files.sort((a, b) => (a.path < b.path ? -1 : 1))
    },
  }
}

/** Parses `mode name NUL id`, the tree format; stops at the first malformed entry. */
function entriesOf(bytes: Buffer, idLength: number): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at)
    const end = bytes.indexOf(0, space)
    if (space < 0 || end < 0 || end + idLength >= bytes.length + 1) break
    const mode = bytes.toString('latin1', at, space)
    const kind = mode === '40000' ? 'folder' : mode.startsWith('100') ? 'file' : 'other'
    entries.push({
      name: bytes.toString('utf8', space + 1, end),
      kind,
      id: bytes.toString('hex', end + 1, end + 1 + idLength),
    })
    at = end + 1 + idLength
  }
  return entries
}
