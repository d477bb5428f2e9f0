import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { didYouMean } from '../kernel/domain/close-match.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { secretRedactor } from '../kernel/domain/secrets/redact.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import type { Redacted } from '../kernel/ports/redactor.ts'
import type { Settings } from '../kernel/ports/settings.ts'
import { openDatabaseSource } from './database-source.ts'
import type { ConfigEntry, DatabaseConfig } from './domain/context-project/config.ts'
import { readConfig } from './domain/context-project/read-config.ts'
import { fillReferences, knownSecrets } from './domain/context-project/references.ts'
import { readServers, SERVERS_FILE, serverConfigEntry } from './domain/tool-server/server-config.ts'
import { readExampleFiles } from './example-files.ts'
import { openWarehouse, stoppableWarehouse } from './open-warehouse.ts'
import type { ColumnValues } from './ports/column-values.ts'
import type { ContextFiles } from './ports/context-files.ts'
import type { ContextFolder } from './ports/context-folder.ts'
import type { ContextDefinitions, ContextProject, ProposedTexts, SourceEntry } from './ports/context-project.ts'
import type { ContextTree } from './ports/context-tree.ts'
import type { KeptResults } from './ports/kept-results.ts'
import type { Source, SourceDefinition, SourceParts } from './ports/source.ts'
import type { Templates } from './ports/templates.ts'
import type { ToolServers } from './ports/tool-servers.ts'
import type { TrustRecord } from './ports/trust-record.ts'
import type { Warehouse } from './ports/warehouse.ts'
import { readTableNotes, type NoteParts } from './table-notes.ts'
import { serverOpenings, type ToolServersGiven } from './tool-servers.ts'
import { openTrustGate, type TrustGate } from './trust-gate.ts'

export interface ContextProjects {
  /** Context project around a directory; the same instance while its configuration is unchanged. */
  around(cwd: string, texts?: ProposedTexts): Promise<ContextProject>
  close(): Promise<void>
}

export interface ContextProjectsParts {
  /** All kinds of sources and databases. */
  readonly definitions: ContextDefinitions
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folder outside every project, for clones and results. */
  readonly cache: string
  /** Folder for the leftovers and the lock of an interrupted build: durable and private to the user. */
  readonly state: string
  readonly trust: TrustRecord
  readonly settings: Settings
  readonly templates: Templates
  openFolder(cwd: string): ContextFolder
  openTree(root: string, state: string): ContextTree
  openFiles(root: string, redact: ContextProject['redact']): ContextFiles
  openResults(folder: string): KeptResults
  openValues(folder: string): ColumnValues
  openToolServers(given: ToolServersGiven): ToolServers
}

export function openContextProjects(parts: ContextProjectsParts): ContextProjects {
  const known = new Map<string, ContextProject>()
  const proposed = new Map<string, ContextProject>()
  return {
    async around(cwd, texts) {
      const folder = parts.openFolder(cwd)
      const [yaml, env] =
        texts === undefined
          ? await Promise.all([folder.read('ken.yaml'), folder.read('.env')])
          : [texts.yaml, texts.env]
      const servers = await readServersFile(folder)
      const key = JSON.stringify([folder.root, yaml, env, servers])
      const project =
        known.get(key) ??
        proposed.get(key) ??
        openContextProject(parts, { folder, yaml, envFile: parseEnv(env), servers })
      if (texts === undefined) {
        proposed.delete(key)
        known.set(key, project)
        await endReplaced(known.values(), project)
      } else if (!known.has(key)) await remember(proposed, key, project)
      return project
    },
    async close() {
      await Promise.allSettled([...known.values(), ...proposed.values()].map((project) => project.close()))
    },
  }
}

/** An editor page proposes a ken.yaml at every pause in typing; only the last few matter. */
const MOST_PROPOSED = 8

async function remember(proposed: Map<string, ContextProject>, key: string, project: ContextProject): Promise<void> {
  proposed.delete(key)
  proposed.set(key, project)
  const [oldest] = proposed
  if (oldest === undefined || proposed.size <= MOST_PROPOSED) return
  proposed.delete(oldest[0])
  await oldest[1].close()
}

/** Does not follow a link out of the project, so that an error cannot reveal outside content. */
const readServersFile = async (folder: ContextFolder): Promise<string> =>
  folder.outside(SERVERS_FILE) === undefined ? folder.read(SERVERS_FILE) : '"a link out of the project"'

/** Stops servers of a replaced configuration. */
async function endReplaced(known: Iterable<ContextProject>, project: ContextProject): Promise<void> {
  const replaced = [...known].filter((one) => one !== project && one.root === project.root)
  await Promise.all(replaced.map((one) => one.toolServers.close()))
}

interface FoundProject {
  readonly folder: ContextFolder
  readonly yaml: string
  /** Variables of the project's `.env`. */
  readonly envFile: Readonly<Record<string, string | undefined>>
  /** Text of the MCP server file; empty if there is none. */
  readonly servers: string
}

function openContextProject(parts: ContextProjectsParts, found: FoundProject): ContextProject {
  const { folder, yaml, envFile } = found
  const { definitions, environment, trust, settings, templates } = parts
  const { root } = folder
  const config = readConfig(yaml, definitions)
  const { outside, missing, fileMark } = folder
  const around = { outside, missing, fileMark, fromEnvFile: (name: string) => envFile[name] }
  const servers = readServers(found.servers)
  const entries = [...config.entries, ...servers.servers.map(serverConfigEntry)]
  const gate = openTrustGate({ root, config: { entries }, around, rules: definitions, trust })
  const lookup = (name: string): string | undefined => environment[name] ?? envFile[name]
  const fill = <T>(value: T): T => fillReferences(value, lookup).value
  const redact = redactWith(entries.flatMap(({ value, secrets }) => knownSecrets(value, lookup, secrets)))
  const cache = join(parts.cache, sha256(root).slice(0, 12))
  const results = parts.openResults(join(cache, 'results'))
  const files = parts.openFiles(root, redact)
  const connect = (database: DatabaseConfig, holdsFile = false): Promise<Warehouse> =>
    openWarehouse(database, { warehouses: definitions.warehouses, folder, fill, settings, holdsFile })
  const names = config.databases.map(({ name }) => name)
  const openDatabase = async (database: DatabaseConfig, signal: StopSignal | undefined): Promise<Source> => {
    gate.admit('templates')
    const overrides = await folder.overrides(config.templates)
    const warehouse = stoppableWarehouse(await connect(database, true), signal)
    const notes = await readTableNotes({ files, describing: config.entries.flatMap(describing) })
    const examples = { read: () => readExampleFiles(files, names), isOnly: names.length === 1 }
    return openDatabaseSource({ config: database, warehouse, templates, overrides, redact, notes, examples })
  }
  const describing = ({ key, list, value }: ConfigEntry): NoteParts['describing'] => {
    const definition = definitions.sources.find((one) => one.key === list)
    if (definition?.describeTables === undefined) return []
    const describe = definition.describeTables.bind(definition)
    return [
      async () => {
        gate.admit(key)
        return describe(fill(value), sourceParts(definition, fill(value), { folder, cache }))
      },
    ]
  }
  const sourceOf = ({ key, name, list, value }: ConfigEntry): readonly SourceEntry[] => {
    const definition = definitions.sources.find((one) => one.key === list)
    const database = config.databases.find((one) => one === value)
    if (definition === undefined && database === undefined) return []
    const open = async (signal?: StopSignal): Promise<Source> => {
      gate.admit(key)
      return database === undefined
        ? definition!.open(fill(value), sourceParts(definition!, fill(value), { folder, cache }))
        : openDatabase(database, signal)
    }
    return [{ key, name, fault: () => gate.fault(key), open }]
  }
  const warehouses = new Map<string, Promise<Warehouse>>()
  const toolServers = parts.openToolServers({
    folder: root,
    environment,
    openings: serverOpenings(servers, { admit: gate.admit, fill }),
  })
  const state = join(parts.state, sha256(root).slice(0, 16))
  return {
    root,
    config,
    tree: parts.openTree(root, state),
    files,
    values: parts.openValues(join(state, 'values')),
    templates,
    sources: config.entries.flatMap(sourceOf),
    places: () => [
      folder.place('ken.yaml'),
      folder.place('.env'),
      ...(names.length > 0 ? [folder.place('queries')] : []),
      ...config.entries.flatMap((entry) => localPlaces(entry, { folder, gate, fill })),
    ],
    reach: gate.reach,
    userTemplates: (owned) => folder.templates({ owned, folder: config.templates }),
    redact,
    async warehouse(name) {
      const database = databaseNamed(name, config.databases)
      gate.admit(`database/${name}`)
      const opening = warehouses.get(name) ?? connect(database)
      warehouses.set(name, opening)
      opening.catch(() => warehouses.delete(name))
      return opening
    },
    toolServers,
    keepResult: results.keep,
    keptResult: results.find,
    async close() {
      await toolServers.close()
      await Promise.allSettled([...warehouses.values()].map(async (warehouse) => (await warehouse).close()))
    },
  }
}

/** Rejects access to resources that the `reach` of a definition does not name, whatever the user trusts. */
function sourceParts(
  definition: SourceDefinition,
  entry: unknown,
  { folder, cache }: { readonly folder: ContextFolder; readonly cache: string },
): SourceParts {
  const reached = definition.reach(entry)
  const named = (given: string, isNamed: boolean): string => {
    if (isNamed) return given
    throw new AppError('forbidden', `${definition.kind} does not declare that it reaches ${given}.`, {
      hint: 'Declare it in `reach`.',
    })
  }
  return {
    root: folder.root,
    cache,
    path: (given) =>
      folder.place(
        named(
          given,
          reached.some((one) => 'opens' in one && one.opens === given),
        ),
      ),
    address: (given) =>
      named(
        given,
        reached.some((one) => 'fetches' in one && one.fetches === given),
      ),
  }
}

function databaseNamed(name: string, databases: readonly DatabaseConfig[]): DatabaseConfig {
  const found = databases.find((entry) => entry.name === name)
  if (found !== undefined) return found
  throw new AppError('not_found', `ken.yaml has no database "${name}".`, {
    hint: didYouMean(
      name,
      databases.map((entry) => entry.name),
    ),
  })
}

/** Local paths of an entry; empty if it cannot be opened now, whatever the reason. */
function localPlaces(
  { key, reaches }: ConfigEntry,
  {
    folder,
    gate,
    fill,
  }: { readonly folder: ContextFolder; readonly gate: TrustGate; readonly fill: (path: string) => string },
): readonly string[] {
  try {
    gate.admit(key)
    return reaches
      .flatMap((reached) => ('opens' in reached ? [fill(reached.opens)] : []))
      .filter((path) => path !== '' && !/^[a-z][a-z0-9+.-]+:/i.test(path))
      .map(folder.place)
  } catch {
    return []
  }
}

/** Secrets by rule, then the values in ken.yaml and its environment, longest first. */
function redactWith(secrets: readonly string[]): ContextProject['redact'] {
  const known = [...new Set(secrets)].toSorted((a, b) => b.length - a.length)
  return async (given) => {
    let { text, count }: Redacted = await secretRedactor.redact(given)
    for (const secret of known) {
      const parts = text.split(secret)
      if (parts.length === 1) continue
      text = parts.join('[redacted]')
      count += parts.length - 1
    }
    return { text, count }
  }
}
