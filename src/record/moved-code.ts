import { bareName, familyOf, isSameCode, stretchesOf } from './domain/drift/same-code.ts'
import { isGenerated } from './domain/guard/file-kind.ts'
import type { RepositoryHistory, TreeFile } from './ports/repository-history.ts'

/** Finds code that was moved and reformatted in one commit, which git does not detect as a rename. */
export interface MovedCode {
  /** The file that contains the code now, among those added after the commit. */
  of(file: TreeFile, commit: string): Promise<TreeFile | undefined>
}

// Limits on files to read and compare. Files of the same name come first; beyond the limits, no further file is
// compared.
const MOST_NAMESAKES = 20
const MOST_ADDED = 400
const MOST_ASKED = 200
const MOST_KEPT = 1_000

export function openMovedCode(history: RepositoryHistory, now: readonly TreeFile[]): MovedCode {
  const written = now.filter(({ path }) => !isGenerated(path))
  const byName = Map.groupBy(written, ({ path }) => bareName(path))
  const byFamily = Map.groupBy(written, ({ path }) => familyOf(path))
  const kept = new Map<string, ReadonlySet<number>>()
  let asked = 0

  async function read(files: readonly TreeFile[]): Promise<(readonly [TreeFile, ReadonlySet<number>])[]> {
    if (kept.size > MOST_KEPT) kept.clear()
    const texts = await history.texts(files.flatMap(({ content }) => (kept.has(content) ? [] : [content])))
    return files.map((file) => {
      const stretches = kept.get(file.content) ?? stretchesOf(file.path, texts.get(file.content) ?? '')
      kept.set(file.content, stretches)
      return [file, stretches] as const
    })
  }

  return {
    async of(file, commit) {
      const [, own] = (await read([file]))[0]!
      if (own.size === 0 || isGenerated(file.path)) return undefined
      const family = familyOf(file.path)
      const holding = async (files: readonly TreeFile[], isSameName: boolean): Promise<TreeFile | undefined> =>
        (await read(files)).find(([, stretches]) =>
          isSameCode({ total: own.size, shared: countShared(own, stretches) }, isSameName),
        )?.[0]
      const namesakes = (byName.get(bareName(file.path)) ?? []).filter(({ path }) => familyOf(path) === family)
      const others = byFamily.get(family) ?? []
      if (namesakes.length === 0 && asked >= MOST_ASKED) return undefined
      const then = new Set((await history.files(commit, '')).map(({ path }) => path))
      const isAdded = ({ path }: TreeFile): boolean => !then.has(path)
      const found = await holding(namesakes.filter(isAdded).slice(0, MOST_NAMESAKES), true)
      if (found !== undefined || ++asked > MOST_ASKED) return found
      return holding(others.filter(isAdded).slice(0, MOST_ADDED), false)
    },
  }
}

function countShared(own: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let count = 0
  for (const each of own) if (other.has(each)) count++
  return count
}
