import { ASCII, foldLetters } from '../text/fold.ts'
import { VENDORS } from './aliases-services.ts'
import { ALIASES, OTHER_SCRIPTS } from './aliases.ts'

/** What a name that the alias table knows stands for. */
export interface KnownName {
  /** One for all names of a thing. */
  readonly id: string
  /** Written small it is an ordinary word ("express"). */
  readonly isOrdinary: boolean
}

/** How a name is looked up: letters and digits alone, so that "Socket.IO" and "socket io" are one. */
export const nameKey = (name: string): string =>
  ASCII.test(name)
    ? name.toLowerCase().replace(/[^a-z0-9+#]+/g, '')
    : foldLetters(name)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}+#]+/gu, '')

/** The thing that a name is one of the names of. */
export const knownName = (key: string): KnownName | undefined => table().names.get(key)

/**
 * Everything that something brings in: ioredis Redis; @prisma/client Prisma, and with it an ORM; `aws_kms_key` AWS,
 * whose name it begins with.
 */
export function broughtInBy(key: string, as: 'word' | 'package' = 'word'): readonly string[] {
  const vendor = isKnown(key) ? vendorBefore(key) : undefined
  const found = new Set<string>(vendor === undefined || vendor === knownName(key)?.id ? [] : [vendor])
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

/** The id of the vendor whose name a longer key begins with. */
function vendorBefore(key: string): string | undefined {
  for (const [name, { id }] of VENDORS) if (id !== '' && key.length > name.length && key.startsWith(name)) return id
  return undefined
}

/** Whether a name in a script without spaces begins with these two characters. */
export const beginsName = (two: string): boolean => table().beginnings.has(two)

interface Table {
  readonly names: ReadonlyMap<string, KnownName>
  readonly broughtIn: ReadonlyMap<string, readonly { readonly id: string; readonly isPackageOnly: boolean }[]>
  readonly beginnings: ReadonlySet<string>
}

let read: Table | undefined
/** Read when it is first asked for: most commands never do. */
const table = (): Table => (read ??= readTable())

// Few passes over whole lines: a hook reads this in a new process, where each call of a pattern is dear.
function readTable(): Table {
  const names = new Map<string, KnownName>()
  const broughtIn = new Map<string, { id: string; isPackageOnly: boolean }[]>()
  for (const line of ALIASES.toLowerCase().split('\n')) {
    if (line === '') continue
    const split = line.lastIndexOf('|')
    const keys = line
      .slice(0, split)
      .replace(/[^a-z0-9+#,~|]+/g, '')
      .replaceAll('|', ',')
      .split(',')
    const id = keys[0]!
    for (const other of keys) {
      if (other === '') continue
      const isOrdinary = other.startsWith('~')
      const key = isOrdinary ? other.slice(1) : other
      // A name in the first column may be marked among the others.
      if (isOrdinary || !names.has(key)) names.set(key, { id, isOrdinary })
    }
    for (const each of line
      .slice(split)
      .replace(/[^a-z0-9+#~ ]+/g, '')
      .split(' ')) {
      if (each === '') continue
      const isPackageOnly = each.startsWith('~')
      const key = isPackageOnly ? each.slice(1) : each
      const known = broughtIn.get(key)
      if (known === undefined) broughtIn.set(key, [{ id, isPackageOnly }])
      else known.push({ id, isPackageOnly })
    }
  }
  return { names, broughtIn, beginnings: readOtherScripts(names) }
}

function readOtherScripts(names: Map<string, KnownName>): Set<string> {
  const beginnings = new Set<string>()
  for (const line of OTHER_SCRIPTS.split('\n')) {
    const [name = '', others = ''] = line.split('|')
    for (const other of others.split(',').map((each) => each.trim()))
      if (other !== '') {
        names.set(nameKey(other), { id: nameKey(name), isOrdinary: false })
        beginnings.add(other.slice(0, 2))
      }
  }
  return beginnings
}
