import { AppError } from '../errors.ts'
import {
  type Client,
  type ClientPlaces,
  type Launcher,
  SERVE,
  type SetupScope,
  type ServerFile,
  resolvePlace,
} from './client.ts'
import { type FileChange, type FilePart, type Mode, fileOwner, partsOfFile, wholeFile } from './file-change.ts'
import { hookEntries } from './hook-entries.ts'
import { readJson, valueAt } from './json-document.ts'
import { upsertJson } from './json-edit.ts'
import { removeJson } from './json-removal.ts'
import { SKILLS, skillFile } from './skills.ts'
import { type TomlTable, removeToml, tomlValueAt, upsertToml } from './toml-edit.ts'

export interface Wiring {
  readonly client: Client
  readonly scope: SetupScope
  readonly places: ClientPlaces
  readonly platform: string
  readonly launcher: Launcher
  /** Which of the places of the server entry to use. */
  readonly serverPath: string
  readonly withHooks: boolean
  readonly withSkills: boolean
  /** The repository that `ken adopt` does this for; undefined: somebody set the client up for itself. */
  readonly adopting?: string | undefined
}

/**
 * The files of one client that Ken writes to; for removal all that it may have written, whatever was asked for then.
 */
export function clientChanges(wiring: Wiring, mode: Mode): FileChange[] {
  const { client, scope, places } = wiring
  const file = {
    within: scope === 'project' ? places.project : undefined,
    owner: fileOwner(client.name, wiring.adopting),
  }
  const hooks = client.hooks[scope]
  const hookPath = resolvePlace(hooks.place, places)
  const withHooks = wiring.withHooks || mode === 'remove'
  const handlers = hooks.kind === 'events' ? hookEntries(client, hooks, wiring) : undefined
  const isShared = hookPath === wiring.serverPath
  const changes = [serverChange(wiring, file, isShared && handlers ? { handlers, withHooks } : undefined)]
  if (withHooks && hooks.kind === 'file')
    changes.push(wholeFile({ ...file, path: hookPath, content: hooks.content(wiring.launcher, wiring.platform) }))
  if (withHooks && handlers && !isShared) changes.push(partsOfFile({ ...file, path: hookPath }, [handlers], [handlers]))
  return wiring.withSkills || mode === 'remove' ? [...changes, ...skillChanges(wiring, file)] : changes
}

/** `shared`: the handlers of a client whose hooks stand in the same file. */
function serverChange(
  { client, scope, serverPath: path, launcher }: Wiring,
  file: { within: string | undefined; owner: string },
  shared: { handlers: FilePart; withHooks: boolean } | undefined,
): FileChange {
  const server = client.server[scope]
  if (server.format === 'file') return wholeFile({ ...file, path, content: server.content(launcher) })
  const entry = serverEntry(server, client.entry(launcher))
  const all = shared ? [entry, shared.handlers] : [entry]
  return partsOfFile({ ...file, path }, shared?.withHooks === false ? [entry] : all, all)
}

function skillChanges(
  { client, scope, places }: Wiring,
  file: { within: string | undefined; owner: string },
): FileChange[] {
  const { folder, form } = client.skills[scope]
  return SKILLS.map((skill) => skillFile(skill, form)).map(({ path, content }) =>
    wholeFile({ ...file, path: `${resolvePlace(folder, places)}/${path}`, content }),
  )
}

/** The MCP server entry in a client's file. Fields that the user added to it stay when Ken writes its own again. */
function serverEntry(file: Exclude<ServerFile, { format: 'file' }>, entry: Record<string, unknown>): FilePart {
  const { path } = file
  const present = (text: string): unknown =>
    file.format === 'toml' ? tomlValueAt(text, path) : valueAt(readJson(text), path)
  return {
    add(text) {
      const found = present(text)
      if (found !== undefined && !startsKen(found)) throw taken(path)
      if (file.format === 'toml') return upsertToml(text, path, entry as TomlTable)
      if (found === undefined) return upsertJson(text, path, entry)
      return Object.entries(entry).reduce((after, [key, value]) => upsertJson(after, [...path, key], value), text)
    },
    remove(text, before) {
      if (!startsKen(present(text))) return text
      return file.format === 'toml' ? removeToml(text, path, before) : removeJson(text, path, before)
    },
  }
}

/** Whether an entry is Ken's, whatever launcher it names: it ends in the words that start the server. */
function startsKen(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false
  const { command, args } = entry as { command?: unknown; args?: unknown }
  const words = Array.isArray(command) ? command : Array.isArray(args) ? args : []
  return SERVE.every((word, at) => words.at(at - SERVE.length) === word)
}

const taken = (path: readonly string[]): AppError =>
  new AppError('conflict', `\`${path.join('.')}\` in it is a server that is not Ken's`, {
    hint: 'Rename or remove that server, then run this again.',
  })
