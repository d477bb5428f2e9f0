import { ASCII, foldLetters } from '../../../kernel/domain/text/fold.ts'
import { BUILDING } from './aliases-building.ts'
import { RUNNING } from './aliases-running.ts'
import { VENDORS, SERVICES } from './aliases-services.ts'

/** The thing that a name in the alias table refers to. */
export interface KnownName {
  /** Shared by all names of a thing. */
  readonly id: string
  /** True if its lower-case form is an ordinary word ("express"). */
  readonly isOrdinary: boolean
}

/** Lookup form of a name: only letters and digits, so that "Socket.IO" and "socket io" are equal. */
export const nameKey = (name: string): string =>
  ASCII.test(name)
    ? name.toLowerCase().replace(/[^a-z0-9+#]+/g, '')
    : foldLetters(name)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}+#]+/gu, '')

export const knownName = (key: string): KnownName | undefined => table().names.get(key)

/**
 * Everything that a key implies: ioredis implies Redis; @prisma/client implies Prisma, and thereby an ORM;
 * `aws_kms_key` implies AWS, because it begins with that name.
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

/** Whether a key is a name, or implies one. */
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
/** Loaded on first use: most commands never need it. */
const table = (): Table => (read ??= readTable())

// Makes few passes over whole lines: a hook reads this in a new process, where each pattern call is expensive.
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
      // A name in the first column may be marked as ordinary in a later one.
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

/**
 * Names of software, as data: one thing per line, `name | other names | implied by`.
 *
 * - Other names (separated by commas) mean exactly the same thing: k8s is Kubernetes.
 * - Implied by (separated by spaces) lists packages, images, resources or products that need the thing, in any
 * ecosystem: ioredis implies Redis, Redis does not imply ioredis. A thing may imply another: Prisma is an ORM.
 * - `~` marks a name that is an ordinary English word in lower case; in the third column, an entry that counts only as
 * the name of a package.
 */
const ALIASES = `${RUNNING}\n${SERVICES}\n${BUILDING}`

/**
 * Names in other scripts, `name | other names`. Kept separate, so that the long table stays at one byte per character.
 */
const OTHER_SCRIPTS = `
message queue | 消息队列, メッセージキュー, 메시지 큐
Kubernetes | 库伯内特斯
serverless | 无服务器
server-side rendering | 服务端渲染, 服务器端渲染, サーバーサイドレンダリング
single-page application | 单页应用
micro frontends | 微前端
microservices | 微服务, マイクロサービス, 마이크로서비스
event sourcing | 事件溯源
ORM | 对象关系映射
blockchain | 区块链
`
