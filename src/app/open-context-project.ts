import { existsSync, realpathSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { openContextFiles } from '../adapters/context-files/disk/index.ts'
import { openContextTree } from '../adapters/context-tree/disk/index.ts'
import { openLiquidTemplates } from '../adapters/templates/liquid/index.ts'
import { didYouMean } from '../core/close-match.ts'
import { connectionOf, databaseFields, type DatabaseConfig } from '../core/context-project/config.ts'
import { configEntries } from '../core/context-project/reach.ts'
import { configFault, readConfig } from '../core/context-project/read-config.ts'
import { fillReferences, knownSecrets } from '../core/context-project/references.ts'
import { AppError } from '../core/errors.ts'
import { secretRedactor } from '../core/secrets/redact.ts'
import { sha256 } from '../core/sha256.ts'
import { isSqlDialect } from '../core/sql/name-traits.ts'
import type { ContextProject } from '../ports/context-project.ts'
import type { Settings } from '../ports/settings.ts'
import type { Template } from '../ports/templates.ts'
import type { TrustRecord } from '../ports/trust-record.ts'
import type { Warehouse } from '../ports/warehouse.ts'
import { boundedWarehouse, engineBounds } from './bounded-warehouse.ts'
import { openKeptResults } from './kept-results.ts'
import { SOURCES, WAREHOUSES, type SourceParts } from './providers.ts'
import type { Environment } from './settings.ts'
import { openTrustGate, type TrustGate } from './trust-gate.ts'

export interface ContextProjects {
  /** The context project around a directory; the same one for as long as its configuration is the same. */
  around(cwd: string): Promise<ContextProject>
  close(): Promise<void>
}

interface Shared {
  /** A folder outside of every project, for clones and results. */
  readonly cache: string
  /** For what an interrupted build leaves and for its lock: durable, and the user's alone. */
  readonly state: string
  readonly trust: TrustRecord
  readonly settings: Settings
}

export function openContextProjects(environment: Environment, shared: Shared): ContextProjects {
  const known = new Map<string, ContextProject>()
  return {
    async around(cwd) {
      const root = findRoot(cwd)
      const [yaml, env] = await Promise.all(
        ['ken.yaml', '.env'].map((name) => readSmall(join(root, name)).catch(() => '')),
      )
      const key = JSON.stringify([root, yaml, env])
      const project =
        known.get(key) ?? openContextProject({ ...shared, root, yaml: yaml!, envFile: parseEnv(env!), environment })
      known.set(key, project)
      return project
    },
    async close() {
      await Promise.allSettled([...known.values()].map((project) => project.close()))
    },
  }
}

interface ProjectParts extends Shared {
  readonly root: string
  readonly yaml: string
  readonly envFile: Environment
  readonly environment: Environment
}

function openContextProject({
  root,
  yaml,
  envFile,
  environment,
  cache,
  state,
  trust,
  settings,
}: ProjectParts): ContextProject {
  const config = readConfig(yaml)
  const gate = openTrustGate({ root, config, envFile, trust })
  const lookup = (name: string): string | undefined => environment[name] ?? envFile[name]
  const secrets = knownSecrets(config, lookup).toSorted((a, b) => b.length - a.length)
  const redact: ContextProject['redact'] = async (text) => blot(await secretRedactor.redact(text), secrets)
  const templates = openLiquidTemplates()
  const own = join(cache, sha256(root).slice(0, 12))
  const results = openKeptResults(join(own, 'results'))
  const warehouses = new Map<string, Promise<Warehouse>>()
  const parts: SourceParts = {
    root,
    cache: own,
    templates,
    async overrides() {
      gate.admit('templates')
      return readOverrides(root, config.templates)
    },
    fill: (value) => fillReferences(value, lookup).value,
    redact,
    openWarehouse: (database) => openWarehouse(database, { root, lookup, settings }),
  }
  return {
    root,
    config,
    tree: openContextTree(root, join(state, sha256(root).slice(0, 16))),
    files: openContextFiles(root, redact),
    templates,
    sources: SOURCES.flatMap((entriesOf) => entriesOf(config, parts)).map((entry) => ({
      ...entry,
      async open(signal) {
        gate.admit(entry.key)
        return entry.open(signal)
      },
    })),
    places: () => [
      join(root, 'ken.yaml'),
      join(root, '.env'),
      ...configEntries(config).flatMap((entry) => localPlaces(entry, { root, gate, fill: parts.fill })),
    ],
    reach: gate.reach,
    userTemplates: (owned) => findUserTemplates(root, { owned, templates: config.templates }),
    redact,
    async warehouse(name) {
      const database = config.databases.find((entry) => entry.name === name)
      if (database === undefined)
        throw new AppError('not_found', `ken.yaml has no database "${name}".`, {
          hint: didYouMean(
            name,
            config.databases.map((entry) => entry.name),
          ),
        })
      gate.admit(`database/${name}`)
      const opening = warehouses.get(name) ?? openWarehouse(database, { root, lookup, settings })
      warehouses.set(name, opening)
      opening.catch(() => warehouses.delete(name))
      return opening
    },
    keepResult: results.keep,
    keptResult: results.find,
    async close() {
      await Promise.allSettled([...warehouses.values()].map(async (warehouse) => (await warehouse).close()))
    },
  }
}

const LARGEST_TEXT = 1024 * 1024

/**
 * The text of a file that people write; of one that is too large for that a little more than is allowed, so that its
 * reader refuses it.
 */
async function readSmall(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(LARGEST_TEXT + 1), position: 0 })
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** None for an entry that cannot be opened now, whatever the reason. */
function localPlaces(
  { key, opens }: ReturnType<typeof configEntries>[number],
  { root, gate, fill }: { root: string; gate: TrustGate; fill: (path: string) => string },
): readonly string[] {
  try {
    gate.admit(key)
    return opens
      .map(fill)
      .filter((path) => path !== '' && !/^[a-z][a-z0-9+.-]+:/i.test(path))
      .map((path) => resolve(root, path))
  } catch {
    return []
  }
}

/** Links followed, so that a project is the same by whatever way it was entered. */
function findRoot(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'ken.yaml'))) return realpathSync.native(folder)
    if (dirname(folder) === folder)
      throw new AppError('not_found', 'There is no ken.yaml here or above.', {
        hint: 'Make a context project with `ken init --context`.',
      })
  }
}

/**
 * Opens a database with its references filled; a fault of the connection names the field and what was probably meant.
 */
async function openWarehouse(
  database: DatabaseConfig,
  { root, lookup, settings }: { root: string; lookup: (name: string) => string | undefined; settings: Settings },
): Promise<Warehouse> {
  const load = isSqlDialect(database.type) ? WAREHOUSES[database.type] : undefined
  if (load === undefined)
    throw new AppError('invalid_input', `databases "${database.name}": there is no type "${database.type}".`, {
      hint: didYouMean(database.type, Object.keys(WAREHOUSES)),
    })
  const type = await load()
  const given = fillReferences(connectionOf(database), lookup).value
  const placed = typeof given['path'] === 'string' ? { ...given, path: resolve(root, given['path']) } : given
  try {
    return boundedWarehouse(await type.open(type.connection.parse(placed), engineBounds(settings)), settings)
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    const known =
      z.toJSONSchema(type.connection as unknown as z.ZodType, { io: 'input', unrepresentable: 'any' }).properties ?? {}
    const [issue] = error.issues
    throw configFault({ ...issue!, path: ['databases', 0, ...issue!.path] }, { databases: [database] }, [
      ...Object.keys(databaseFields),
      ...Object.keys(known),
    ])
  }
}

function blot(
  { text, count }: { text: string; count: number },
  secrets: readonly string[],
): { text: string; count: number } {
  for (const secret of secrets) {
    const parts = text.split(secret)
    if (parts.length === 1) continue
    text = parts.join('[redacted]')
    count += parts.length - 1
  }
  return { text, count }
}

/** Links are not followed: a clone could bring one to a file of the user's, and the template would show it. */
async function readOverrides(root: string, folder: string): Promise<ReadonlyMap<string, Template>> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md.liquid'))
    .map((entry) => entry.name)
  const found = names.map(
    async (name) =>
      [
        name.slice(0, -'.md.liquid'.length),
        { name: `${folder}/${name}`, text: await readSmall(join(root, folder, name)) },
      ] as const,
  )
  return new Map(await Promise.all(found))
}

const NO_TEMPLATES = new Set(['.git', '.ken', 'node_modules', 'repos', 'tests'])

/** Folders of repositories and whatever was synced are passed over: a template from elsewhere is never run. */
async function findUserTemplates(
  root: string,
  { owned, templates }: { owned: ReadonlySet<string>; templates: string },
): Promise<readonly Template[]> {
  const found: Template[] = []
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const full = join(folder, entry.name)
      const path = relative(root, full).split(sep).join('/')
      if (entry.isDirectory() && !NO_TEMPLATES.has(entry.name) && path !== templates) await visit(full)
      if (entry.isFile() && entry.name.endsWith('.liquid') && !owned.has(path))
        found.push({ name: path, text: await readSmall(full) })
    }
  }
  await visit(root)
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
