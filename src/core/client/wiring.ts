import type { Client, ClientPlaces, Launcher, Scope } from './client.ts'
import { resolvePlace } from './client.ts'
import type { FileChange, Mode } from './file-change.ts'
import { partsOfFile } from './file-parts.ts'
import { hookEntries } from './hook-entries.ts'
import { serverEntry } from './server-entry.ts'
import { skillFile, SKILLS } from './skills.ts'
import { wholeFile } from './whole-file.ts'

export interface Wiring {
  readonly client: Client
  readonly scope: Scope
  readonly places: ClientPlaces
  readonly platform: string
  readonly launcher: Launcher
  /** Which of the places of the server entry to use. */
  readonly serverPath: string
  readonly withHooks: boolean
  readonly withSkills: boolean
}

/**
 * The files of one client that Ken writes to; for removal all that it may have written, whatever was asked for then.
 */
export function clientChanges(wiring: Wiring, mode: Mode): FileChange[] {
  const { client, scope, places } = wiring
  const file = { within: scope === 'project' ? places.project : undefined, owner: client.name }
  const entry = serverEntry(client.server[scope], client.entry(wiring.launcher))
  const hooks = client.hooks[scope]
  const hookPath = resolvePlace(hooks.place, places)
  const withHooks = wiring.withHooks || mode === 'remove'
  const changes: FileChange[] = []
  if (hooks.kind === 'file') {
    changes.push(partsOfFile({ ...file, path: wiring.serverPath }, [entry], [entry]))
    if (withHooks)
      changes.push(wholeFile({ ...file, path: hookPath, content: hooks.content(wiring.launcher, wiring.platform) }))
  } else {
    const handlers = hookEntries(client, hooks, wiring)
    const shared = hookPath === wiring.serverPath
    changes.push(
      partsOfFile(
        { ...file, path: wiring.serverPath },
        shared && withHooks ? [entry, handlers] : [entry],
        shared ? [entry, handlers] : [entry],
      ),
    )
    if (!shared && withHooks) changes.push(partsOfFile({ ...file, path: hookPath }, [handlers], [handlers]))
  }
  return wiring.withSkills || mode === 'remove' ? [...changes, ...skillChanges(wiring, file)] : changes
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
