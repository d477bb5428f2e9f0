import { join, relative, sep } from 'node:path'
import { addressShown } from './domain/context-project/address-parts.ts'
import { dbtConnection, dbtProfileName } from './domain/context-project/dbt-profile.ts'
import { entryKinds, proposePointed } from './domain/context-project/propose-entry.ts'
import { referredNames } from './domain/context-project/references.ts'
import type { ContextRules } from './domain/context-project/source-rules.ts'
import type { FoundName, SourceDiscovery } from './ports/source-discovery.ts'

/** Potential source, and the arguments for `ken source add`. */
export interface FoundSource {
  /** E.g. `DuckDB file shop.duckdb`. */
  readonly what: string
  /** Target and size, as far as they may be shown. */
  readonly detail: string
  /** Empty if Ken cannot add it; `detail` explains why. */
  readonly words: readonly string[]
  readonly name: string | undefined
  /** Whether it is a file elsewhere on this machine, which has not been inspected. */
  readonly isElsewhere: boolean
  readonly bytes: number | undefined
}

export interface FindParts {
  readonly rules: ContextRules
  readonly scout: SourceDiscovery
  /** Folder to search, with links resolved. */
  readonly root: string
  /** User folders in which dbt may keep its profiles. */
  readonly profiles: readonly string[]
  /** Variables of the project's `.env`. */
  readonly envFile: Readonly<Record<string, string | undefined>>
  /** Addresses of the git repository around the folder. */
  readonly remotes: readonly string[]
}

const DEEPEST = 2
const MOST_FOLDERS = 300
const MOST_FOUND = 40
const LARGEST_TEXT = 64 * 1024
/** Folders of tools and of Ken's own output. */
const PASSED_OVER =
  /^(?:\..*|node_modules|target|dbt_packages|venv|__pycache__|dist|build|vendor|databases|repos|docs|tests)$/i
const DATABASE_FILE = /\.(?:duckdb|ddb|db|db3|s3db|sdb|sqlite\w{0,3}|parquet)$/i
const DOCUMENT_FOLDER = /^(?:documentation|handbook|wiki|notes|runbooks?|playbooks?|docs?)$/i

/**
 * Finds sources that can be added: database files by their first bytes, dbt projects and their connections, addresses
 * in variables, folders of documents, git remotes. Opens no database, follows no link, uses no network, and never shows
 * values of variables.
 */
export async function findSources(parts: FindParts): Promise<readonly FoundSource[]> {
  const folders = await foldersBelow(parts)
  const found = [
    ...(await Promise.all(folders.map((folder) => databaseFiles(folder, parts)))).flat(),
    ...(await Promise.all(folders.map((folder) => dbtProject(folder, parts)))).flat(),
    ...variables(parts),
    ...(await documentFolders(folders, parts)),
    ...remotes(parts),
  ]
  return found.filter((one, at) => found.findIndex((other) => isSameFind(one, other)) === at).slice(0, MOST_FOUND)
}

interface Folder {
  /** Relative to the root; empty for the root itself. */
  readonly path: string
  readonly entries: readonly FoundName[]
}

/** Breadth-first, so that nearby folders are found first. */
async function foldersBelow({ scout, root }: FindParts): Promise<readonly Folder[]> {
  const found: Folder[] = []
  let level = ['']
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = []
    for (const path of level.slice(0, MOST_FOUND_PER_LEVEL)) {
      if (found.length >= MOST_FOLDERS) return found
      const entries = (await scout.entries(join(root, path))).toSorted((a, b) => (a.name < b.name ? -1 : 1))
      found.push({ path, entries })
      for (const { name, is } of entries)
        if (is === 'folder' && !PASSED_OVER.test(name)) next.push(path === '' ? name : `${path}/${name}`)
    }
    level = next
  }
  return found
}

const MOST_FOUND_PER_LEVEL = 200

async function databaseFiles({ path, entries }: Folder, parts: FindParts): Promise<readonly FoundSource[]> {
  const files = entries.filter(({ name, is }) => is !== 'folder' && DATABASE_FILE.test(name))
  const found = await Promise.all(files.map((file) => databaseFile(inFolder(path, file.name), file, parts)))
  return found.flat()
}

async function databaseFile(where: string, { is, leadsTo }: FoundName, parts: FindParts): Promise<FoundSource[]> {
  if (is === 'link' && isOutside(leadsTo, parts.root))
    return [
      {
        ...LOCAL,
        what: `link ${where}`,
        detail: leadsTo === undefined ? 'leads nowhere' : `leads out of this folder, to ${leadsTo}`,
        words: leadsTo === undefined ? [] : [leadsTo],
        isElsewhere: true,
      },
    ]
  const seen = await parts.scout.look(join(parts.root, where))
  const proposal = seen?.is === 'file' ? proposePointed({ ...seen, where }, parts.rules) : undefined
  if (seen === undefined || proposal === undefined) return []
  return [{ ...LOCAL, what: `${proposal.kind.label} file ${where}`, detail: '', words: [where], bytes: seen.bytes }]
}

async function dbtProject({ path, entries }: Folder, parts: FindParts): Promise<readonly FoundSource[]> {
  const { scout, root, rules } = parts
  if (!entries.some(({ name, is }) => name === 'dbt_project.yml' && is === 'file')) return []
  const where = path === '' ? '.' : path
  const target = entries.some(({ name, is }) => name === 'target' && is === 'folder')
  const parsed = target ? await scout.entries(join(root, path, 'target')) : []
  const isParsed = parsed.some(({ name, is }) => name === 'manifest.json' && is === 'file')
  const project = {
    ...LOCAL,
    what: `dbt project ${where}`,
    detail: isParsed ? '' : 'no target/manifest.json yet: run `dbt parse` there',
    words: [where],
  }
  const profile = dbtProfileName((await scout.text(join(root, path, 'dbt_project.yml'), LARGEST_TEXT)) ?? '')
  if (profile === undefined) return [project]
  for (const folder of [join(root, path), ...parts.profiles]) {
    const text = await scout.text(join(folder, 'profiles.yml'), LARGEST_TEXT)
    const name = profile.replaceAll(/[^\w.-]/g, '-')
    const found = text === undefined ? undefined : dbtConnection(text, profile, { kinds: entryKinds(rules), name })
    if (found === undefined) continue
    const what = `${found.kind?.label ?? found.type} of the dbt profile ${profile} (target ${found.target})`
    if (found.kind === undefined)
      return [project, { ...LOCAL, what, detail: 'Ken cannot read this kind of database yet', words: [] }]
    const { fields } = found
    // A profile from a clone may name any host, and any variable for its password.
    const file =
      folder === join(root, path) ? `${inFolder(path, 'profiles.yml')} of this folder` : join(folder, 'profiles.yml')
    const words = [found.kind.word, ...Object.entries(fields).map(([field, value]) => `${field}=${String(value)}`)]
    // A database file that dbt creates is found separately once it exists.
    if (found.kind.isFile) return [project]
    return [
      project,
      { ...LOCAL, what, detail: [whereTo(fields), `by ${file}`, ...taken(fields)].join(', '), words, name },
    ]
  }
  return [project]
}

const whereTo = (fields: Readonly<Record<string, unknown>>): string =>
  ['host', 'account', 'project', 'region', 'database', 'catalog', 'dataset', 'schema']
    .flatMap((field) => (fields[field] === undefined ? [] : [`${field} ${String(fields[field])}`]))
    .join(', ')

const taken = (fields: Readonly<Record<string, unknown>>): readonly string[] => {
  const names = referredNames(fields)
  return names.length === 0 ? [] : [`takes ${names.join(', ')}`]
}

/** Sets of variables that clients of these databases read automatically. */
const CLIENT_VARIABLES = [
  {
    type: 'postgres',
    fields: { host: 'PGHOST', port: 'PGPORT', database: 'PGDATABASE', user: 'PGUSER', password: 'PGPASSWORD' },
  },
  {
    type: 'mysql',
    fields: {
      host: 'MYSQL_HOST',
      port: 'MYSQL_PORT',
      database: 'MYSQL_DATABASE',
      user: 'MYSQL_USER',
      password: 'MYSQL_PASSWORD',
    },
  },
] as const

function variables({ rules, scout, envFile }: FindParts): readonly FoundSource[] {
  const valueOf = (name: string): string | undefined => scout.variable(name) ?? envFile[name]
  const names = [...new Set([...scout.variableNames(), ...Object.keys(envFile)])].toSorted()
  const origin = (name: string): string => (scout.variable(name) === undefined ? 'in .env' : 'in the environment')
  const addresses = names.flatMap((name): FoundSource[] => {
    const value = valueOf(name) ?? ''
    if (!/(?:^|_)(?:URL|URI|DSN)$/i.test(name) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return []
    const proposal = proposePointed({ where: value, is: 'address', head: '', names: [] }, rules)
    if (proposal?.kind.kind !== 'database' || !Object.values(proposal.fields).includes(value)) return []
    const detail = `${addressShown(value) ?? ''}, ${origin(name)}`
    return [{ ...LOCAL, what: `${proposal.kind.label} at ${name}`, detail, words: [`\${${name}}`] }]
  })
  const sets = CLIENT_VARIABLES.flatMap(({ type, fields }): FoundSource[] => {
    const set = Object.entries(fields).filter(([, name]) => valueOf(name))
    const [host, database] = [valueOf(fields.host), valueOf(fields.database)]
    if (!host || !database) return []
    const words = [type, ...set.map(([field, name]) => `${field}=\${${name}}`)]
    const detail = `${host}/${database}, ${origin(fields.host)}`
    const label = entryKinds(rules).find(({ word }) => word === type)?.label ?? type
    return [{ ...LOCAL, what: `${label} at ${fields.host}`, detail, words, name: nameFrom(database) }]
  })
  return [...addresses, ...sets]
}

const nameFrom = (text: string): string | undefined => (/^[A-Za-z0-9][\w.-]{0,62}$/.test(text) ? text : undefined)

/** Excludes the project's own `docs`: Ken writes to it, and it is in the context anyway. */
async function documentFolders(
  folders: readonly Folder[],
  { scout, root }: FindParts,
): Promise<readonly FoundSource[]> {
  const named = folders.flatMap(({ path, entries }) =>
    entries
      .filter(({ name, is }) => is === 'folder' && DOCUMENT_FOLDER.test(name) && !(path === '' && /^docs$/i.test(name)))
      .map(({ name }) => inFolder(path, name)),
  )
  const found = await Promise.all(
    named.map(async (where) => {
      const count = (await scout.entries(join(root, where))).filter(({ name }) =>
        /\.(?:md|mdx|txt|rst)$/i.test(name),
      ).length
      return count === 0
        ? []
        : [{ ...LOCAL, what: `documents in ${where}`, detail: `${count} files`, words: [`docs:${where}`] }]
    }),
  )
  return found.flat()
}

const remotes = ({ remotes: urls, rules }: FindParts): readonly FoundSource[] =>
  urls.flatMap((given) => {
    // Removes a token from the address; git has it anyway.
    const url = given.replace(/^(https?:\/\/)[^/]*@/i, '$1')
    const proposal = proposePointed({ where: url, is: 'address', head: '', names: [] }, rules)
    if (proposal?.kind.kind !== 'repository') return []
    return [{ ...LOCAL, what: 'git repository around this folder', detail: url, words: [url] }]
  })

const LOCAL = { name: undefined, isElsewhere: false, bytes: undefined } as const

const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

function isOutside(place: string | undefined, root: string): boolean {
  const way = place === undefined ? '..' : relative(root, place)
  return way === '..' || way.startsWith(`..${sep}`) || way.startsWith('/')
}

const isSameFind = (a: FoundSource, b: FoundSource): boolean =>
  a.what === b.what && a.words.join('\n') === b.words.join('\n')
