import { AppError } from '../../kernel/domain/errors.ts'
import { type Client, type ClientPlaces, type Launcher, type SetupScope, resolvePlace } from './client.ts'
import { type FileChange, type FilePart, type Mode, fileOwner, partsOfFile, wholeFile } from './file-change.ts'
import { hookEntries } from './hook-entries.ts'
import { serverEntry } from './server-entry.ts'
import { SKILLS, skillFile } from './skills.ts'

export interface Wiring {
  readonly client: Client
  readonly scope: SetupScope
  readonly places: ClientPlaces
  readonly platform: string
  readonly launcher: Launcher
  /** URL of the running server; undefined: the client starts one. */
  readonly url?: string | undefined
  /** The chosen location of the server entry. */
  readonly serverPath: string
  readonly withHooks: boolean
  readonly withSkills: boolean
  /** Scope of the client's skills. */
  readonly skillScope?: SetupScope
  /** The repository that `ken adopt` does this for; undefined: the client was set up separately. */
  readonly adopting?: string | undefined
}

/** The files of one client that Ken writes to; for removal, all that it may have written under any options. */
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
  return wiring.withSkills || mode === 'remove' ? [...changes, ...skillChanges(wiring)] : changes
}

/** `shared`: the handlers of a client that has its hooks in the same file. */
function serverChange(
  wiring: Wiring,
  file: { within: string | undefined; owner: string },
  shared: { handlers: FilePart; withHooks: boolean } | undefined,
): FileChange {
  const { client, scope, serverPath: path, launcher, url } = wiring
  const server = client.server[scope]
  if (server.format === 'file') {
    if (url !== undefined) throw startsItself(client)
    return wholeFile({ ...file, path, content: server.content(launcher) })
  }
  const beside = client.besides?.[scope]
  const parts = [serverEntry(client, server, wiring), ...(beside === undefined ? [] : [beside])]
  const all = shared ? [...parts, shared.handlers] : parts
  return partsOfFile({ ...file, path }, shared?.withHooks === false ? parts : all, all)
}

const startsItself = ({ name, title }: Client): AppError =>
  new AppError('invalid_input', `${title} does not support MCP: Ken's extension starts the server for it.`, {
    hint: `Run \`ken setup ${name}\` without --http.`,
  })

function skillChanges({ client, scope, places, skillScope = scope, adopting }: Wiring): FileChange[] {
  const { folder, form } = client.skills[skillScope]
  const file = {
    within: skillScope === 'project' ? places['project'] : undefined,
    // User skills that a project uses are removed with the project.
    owner: fileOwner(
      client.name,
      adopting ?? (skillScope === scope || scope === 'user' ? undefined : places['project']),
    ),
  }
  return SKILLS.map((skill) => skillFile(skill, form)).map(({ path, content }) =>
    wholeFile({ ...file, path: `${resolvePlace(folder, places)}/${path}`, content }),
  )
}
