import { bareName, familyOf, isSameCode, stretchesOf } from '../core/drift/same-code.ts'
import { isGenerated } from '../core/guard/file-kind.ts'
import type { RepositoryHistory, TreeFile } from '../ports/repository-history.ts'

/** Where the code of a file went that was moved and set anew in one commit, which git does not know as a rename. */
export interface MovedCode {
  /** The file that holds it now, among those that were added after the commit. */
  of(file: TreeFile, commit: string): Promise<TreeFile | undefined>
}

// Each is a text to read. Files of the same name are looked at first, and beyond these nothing is found.
const MOST_NAMESAKES = 20
const MOST_ADDED = 400
const MOST_ASKED = 300

export function openMovedCode(history: RepositoryHistory, now: readonly TreeFile[]): MovedCode {
  const added = new Map<string, Promise<Added>>()
  const addedSince = (commit: string): Promise<Added> => {
    const known = added.get(commit) ?? readAdded(history, now, commit)
    added.set(commit, known)
    return known
  }
  return {
    async of(file, commit) {
      const since = await addedSince(commit)
      if (since.files.length === 0 || isGenerated(file.path)) return undefined
      const own = [...(await readStretches(history, [file])).values()][0] ?? new Set()
      if (own.size === 0) return undefined
      const family = familyOf(file.path)
      const sharedWith = (stretches: ReadonlySet<number>): number =>
        [...own].filter((each) => stretches.has(each)).length
      const namesakes = (since.byName.get(bareName(file.path)) ?? [])
        .filter(({ path }) => familyOf(path) === family)
        .slice(0, MOST_NAMESAKES)
      for (const [namesake, stretches] of await readStretches(history, namesakes))
        if (isSameCode({ total: own.size, shared: sharedWith(stretches) }, true)) return namesake
      if (++since.asked > MOST_ASKED) return undefined
      const shared = new Map<TreeFile, number>()
      const index = await since.index(family)
      for (const each of own) for (const at of index.get(each) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1)
      return [...shared].find(([, count]) => isSameCode({ total: own.size, shared: count }, false))?.[0]
    },
  }
}

interface Added {
  readonly files: readonly TreeFile[]
  readonly byName: ReadonlyMap<string, readonly TreeFile[]>
  /** The files of a family by the stretches of code that are in them. */
  index(family: string): Promise<ReadonlyMap<number, readonly TreeFile[]>>
  asked: number
}

async function readAdded(history: RepositoryHistory, now: readonly TreeFile[], commit: string): Promise<Added> {
  const then = new Set((await history.files(commit, '')).map(({ path }) => path))
  const files = now.filter(({ path }) => !then.has(path) && !isGenerated(path))
  const indexes = new Map<string, Promise<ReadonlyMap<number, readonly TreeFile[]>>>()
  const read = async (family: string): Promise<ReadonlyMap<number, readonly TreeFile[]>> => {
    const index = new Map<number, TreeFile[]>()
    const part = files.filter(({ path }) => familyOf(path) === family).slice(0, MOST_ADDED)
    for (const [file, stretches] of await readStretches(history, part))
      for (const each of stretches) {
        const known = index.get(each)
        if (known === undefined) index.set(each, [file])
        else known.push(file)
      }
    return index
  }
  return {
    files,
    byName: Map.groupBy(files, ({ path }) => bareName(path)),
    index(family) {
      const known = indexes.get(family) ?? read(family)
      indexes.set(family, known)
      return known
    },
    asked: 0,
  }
}

async function readStretches(
  history: RepositoryHistory,
  files: readonly TreeFile[],
): Promise<Map<TreeFile, ReadonlySet<number>>> {
  const texts =
    files.length === 0 ? new Map<string, string>() : await history.texts(files.map(({ content }) => content))
  return new Map(files.map((file) => [file, stretchesOf(file.path, texts.get(file.content) ?? '')]))
}
