import { foldLetters } from '../text/fold.ts'
import { ALIASES } from './aliases.ts'

/** What a name that the alias table knows stands for. */
export interface KnownName {
  /** One for all names of a thing. */
  readonly id: string
  /** Written small it is an ordinary word ("express"). */
  readonly isOrdinary: boolean
}

/** How a name is looked up: letters and digits alone, so that "Socket.IO" and "socket io" are one. */
export const nameKey = (name: string): string =>
  foldLetters(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}+#]+/gu, '')

/** The thing that a name is one of the names of. */
export const knownName = (key: string): KnownName | undefined => table().names.get(key)

/** Everything that something brings in: ioredis Redis; @prisma/client Prisma, and with it an ORM. */
export function broughtInBy(key: string, as: 'word' | 'package' = 'word'): readonly string[] {
  const found = new Set<string>()
  const open = [key, knownName(key)?.id ?? key]
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const { id, isPackageOnly } of table().broughtIn.get(from) ?? []) {
      if (found.has(id) || (isPackageOnly && as === 'word')) continue
      found.add(id)
      open.push(id)
    }
  }
  return [...found]
}

/** Whether it is a name, or something that brings one in. */
export const isKnown = (key: string): boolean => table().names.has(key) || table().broughtIn.has(key)

/** Whether a name of several words begins with this one. */
export const beginsName = (word: string): boolean => table().firstWords.has(word)

interface Table {
  readonly firstWords: ReadonlySet<string>
  readonly names: ReadonlyMap<string, KnownName>
  readonly broughtIn: ReadonlyMap<string, readonly { readonly id: string; readonly isPackageOnly: boolean }[]>
}

let read: Table | undefined
/** Read when it is first asked for: most commands never do. */
const table = (): Table => (read ??= readTable(ALIASES))

function readTable(text: string): Table {
  const names = new Map<string, KnownName>()
  const broughtIn = new Map<string, { id: string; isPackageOnly: boolean }[]>()
  const firstWords = new Set<string>()
  const begin = (name: string): void => {
    const [first, second] = foldLetters(name.toLowerCase()).match(/[\p{L}\p{N}]+/gu) ?? []
    if (second !== undefined) firstWords.add(first!)
    // Scripts without spaces begin with two characters.
    if (/^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(name)) firstWords.add(name.slice(0, 2))
  }
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [name = '', others = '', packages = ''] = line.split('|').map((part) => part.trim())
    const id = nameKey(name)
    for (const other of [name, ...others.split(',').map((each) => each.trim())]) {
      if (other === '') continue
      begin(other)
      const key = nameKey(other)
      const isOrdinary = other.startsWith('~')
      // A name in the first column may be marked among the others.
      if (isOrdinary || !names.has(key)) names.set(key, { id, isOrdinary })
    }
    for (const each of packages.split(/\s+/)) {
      if (each === '') continue
      begin(each)
      const key = nameKey(each)
      const known = broughtIn.get(key) ?? []
      known.push({ id, isPackageOnly: each.startsWith('~') })
      broughtIn.set(key, known)
    }
  }
  return { names, broughtIn, firstWords }
}
