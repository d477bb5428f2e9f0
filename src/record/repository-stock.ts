import { datesThings } from './domain/drift/dates-things.ts'
import { type PlacedUse, type Stock } from './domain/drift/judge-things.ts'
import { ownKeys, ownModules } from './domain/drift/own-modules.ts'
import { type Step, followPresence } from './domain/drift/presence.ts'
import { type Use, marksOf, usesIn, usesOfPath } from './domain/drift/uses.ts'
import { vendoredKeys } from './domain/drift/vendored.ts'
import { isConfig } from './domain/guard/config-names.ts'
import { fileKind, isLockFile } from './domain/guard/file-kind.ts'
import type { Wanted } from './domain/names/mentions.ts'
import type { Commit, RepositoryHistory, Revision, TreeFile } from './ports/repository-history.ts'

/** Things that a repository uses or used, and the files that show it. */
export interface RepositoryStock extends Stock {
  readonly files: readonly TreeFile[]
  /** The states of all manifests and version files, oldest first. */
  readonly revisions: readonly (Revision & { readonly place: number })[]
  /** Uses in any tree that are not in a manifest: imports, and languages by their files. */
  usesAt(commit: string): Promise<ReadonlySet<string>>
  text(content: string): Promise<string | undefined>
  /** Names of vendored copies. */
  readonly vendored: ReadonlySet<string>
  /** Whether a package of this name was ever used here. */
  isPackage(key: string): boolean
}

// Limited because each is a text to read and parse; more revisions than this are written by a program.
const MOST_REVISIONS = 20_000

export async function readStock(
  history: RepositoryHistory,
  line: readonly Commit[],
  wanted: Wanted,
): Promise<RepositoryStock> {
  const places = new Map(line.map(({ id }, place) => [id, place]))
  const files = await history.files('now', '')
  const revisions = (await history.revisions(memoized(datesThings))).slice(-MOST_REVISIONS).flatMap((revision) => {
    const place = places.get(revision.commit.id)
    return place === undefined ? [] : [{ ...revision, place }]
  })
  const telling = files.filter(({ path }) => isTelling(path))
  const texts = new Map<string, string>()
  const load = async (contents: Iterable<string>): Promise<void> => {
    const unknown = [...new Set(contents)].filter((content) => !texts.has(content))
    for (const [content, text] of await history.texts(unknown)) texts.set(content, text)
  }
  const known = new Map<string, readonly Use[]>()
  const usesOf = ({ path, content }: TreeFile, text: string | undefined): readonly Use[] => {
    const key = `${content} ${path}`
    let uses = known.get(key)
    if (uses === undefined)
      known.set(key, (uses = [...usesOfPath(path), ...(text === undefined ? [] : usesIn(path, text))]))
    return uses
  }
  const marksBy = memoized((via: Use['via']) => memoized((name: string) => marksOf(name, via, wanted)))
  const marks = ({ name, via }: Use): string[] => marksBy(via)(name)

  // Lock files are not read: their presence is enough, and they may be megabytes.
  await load(revisions.flatMap(({ path, content }) => (content === undefined || isLockFile(path) ? [] : [content])))
  const steps = revisions.map(({ place, path, content }): Step => ({
    place,
    path,
    marks: new Set(
      content === undefined
        ? []
        : usesOf({ path, content }, texts.get(content))
            .filter(({ isLoose }) => !isLoose)
            .flatMap(marks),
    ),
  }))
  const presence = followPresence(steps)
  const own = new Set(
    revisions.flatMap(({ path, content }) =>
      content === undefined || fileKind(path) !== 'manifest' ? [] : ownKeys(path, texts.get(content) ?? ''),
    ),
  )
  const now = new Map<string, Omit<PlacedUse, 'isOwn'>[]>()
  const manifests = new Map<string, string>()
  for (let from = 0; from < telling.length; from += AT_ONCE) {
    const part = telling.slice(from, from + AT_ONCE)
    const read = await history.texts(part.map(({ content }) => content))
    for (const file of part) {
      const text = read.get(file.content)
      if (text !== undefined && fileKind(file.path) === 'manifest') manifests.set(file.path, text)
      for (const use of usesOf(file, text))
        for (const mark of marks(use)) {
          const uses = now.get(mark)
          if (uses === undefined) now.set(mark, [{ ...use, path: file.path }])
          else if (uses.length < MOST_USES) uses.push({ ...use, path: file.path })
        }
    }
  }
  const isOwn = ownModules(
    files.map(({ path }) => path),
    manifests,
  )
  return {
    presence,
    vendored: vendoredKeys(files),
    files,
    revisions,
    now: (mark) => (now.get(mark) ?? []).map((use) => ({ ...use, isOwn: isOwn(use) })),
    commit: (place) => line[place] ?? null,
    isPackage: (key) => !own.has(key) && (presence.has(`#${key}`) || now.has(`#${key}`)),
    async text(content) {
      await load([content])
      return texts.get(content)
    },
    usesAt: memoized(async (commit: string) => {
      const there = (await history.files(commit, '')).filter(({ path }) => isTelling(path))
      const found = new Set<string>()
      for (let from = 0; from < there.length; from += AT_ONCE) {
        const part = there.slice(from, from + AT_ONCE)
        const unread = part.filter(({ path, content }) => !known.has(`${content} ${path}`))
        const read = await history.texts(unread.map(({ content }) => content))
        for (const file of part)
          for (const use of usesOf(file, read.get(file.content))) for (const mark of marks(use)) found.add(mark)
      }
      return found
    }),
  }
}

const AT_ONCE = 500
const MOST_USES = 200

const isTelling = (path: string): boolean =>
  usesOfPath(path).length > 0 ||
  (fileKind(path) !== 'ignored' && (fileKind(path) === 'manifest' || isConfig(path) || CODE.test(path)))

const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|go|rs|java|kts?|scala|groovy|cs|rb|php|exs?|c|cc|cpp|cxx|h|hpp|m|mm|swift|dart|html?)$/

function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key)!
  }
}
