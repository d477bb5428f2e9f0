import type { Call } from '../kernel/ports/call.ts'
import type { Watcher, Watching } from '../kernel/ports/watcher.ts'
import type { MemoryNeeds } from './ports/memory-needs.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'

/** Collections and clients affected by a change in some folders. */
export interface Change {
  readonly collections: readonly string[]
  readonly clients: readonly string[]
}

export type WatchedFolders = ReturnType<typeof openWatchedFolders>

type Hear = Parameters<Watcher['watch']>[1]

/** The folders that feed the index, and those with client sessions. */
export function openWatchedFolders(ctx: Call & MemoryNeeds, parts: UpkeepParts, hear: Hear) {
  let isBlind = false
  const documents = follower(parts.watcher, hear)
  const sessions = follower(parts.sessionWatcher, {
    changed: hear.changed,
    failed(message) {
      isBlind = true
      hear.failed(`${message} Sessions are looked for every few seconds instead.`)
    },
  })

  async function documentFolders(): Promise<Map<string, string>> {
    const records = (await ctx.projects.list())
      .filter(({ present }) => present)
      .map(({ location }) => [location, 'record'] as const)
    const named = ctx.collections.list().collections.map(({ path, name }) => [path, name] as const)
    return new Map([[parts.notesFolder, 'memory'], ...records, ...named])
  }

  async function sessionFolders(): Promise<Map<string, string>> {
    const wanted = ctx.settings.get('harvest.clients').value as readonly string[]
    const found = new Map<string, string>()
    for (const { client, roots } of parts.harvesters)
      if (wanted.includes(client)) for (const root of await roots(parts.userHome)) found.set(root, client)
    return found
  }

  return {
    /** True if the system refuses to watch the folders of some client. */
    isBlind: (): boolean => isBlind,
    /** Watches the folders in the current configuration and on disk; returns their number. */
    async follow(): Promise<number> {
      const [own, others] = [[...(await documentFolders()).keys()], [...(await sessionFolders()).keys()]]
      await documents.follow(own)
      await sessions.follow(others)
      return own.length + others.length
    },
    /** The collections with new folders, which are now watched. */
    async newCollections(): Promise<readonly string[]> {
      const found = await documentFolders()
      const before = documents.watched()
      const added = [...found].filter(([root]) => !before.has(root)).map(([, collection]) => collection)
      await documents.follow([...found.keys()])
      return [...new Set(added)]
    },
    /** The clients with new session folders, which are watched from now on; every client if `all` is set. */
    async newClients(all: boolean): Promise<readonly string[]> {
      const found = await sessionFolders()
      if (all) return [...new Set(found.values())]
      const added = [...found].filter(([root]) => !sessions.watched().has(root)).map(([, client]) => client)
      if (added.length > 0) await sessions.follow([...found.keys()])
      return added
    },
    async changeIn(folders: readonly string[]): Promise<Change> {
      const [own, others] = [await documentFolders(), await sessionFolders()]
      return {
        collections: [...new Set(folders.flatMap((folder) => own.get(folder) ?? []))],
        clients: [...new Set(folders.flatMap((folder) => others.get(folder) ?? []))],
      }
    },
    async close(): Promise<void> {
      await documents.follow([])
      await sessions.follow([])
    },
  }
}

/** Restarts watching if the folders have changed. */
function follower(watcher: Watcher, hear: Hear) {
  let watching: Watching | undefined
  let watched = new Set<string>()
  return {
    watched: (): ReadonlySet<string> => watched,
    async follow(folders: readonly string[]): Promise<void> {
      if (folders.length === watched.size && folders.every((folder) => watched.has(folder))) return
      await watching?.close()
      watched = new Set(folders)
      watching = folders.length === 0 ? undefined : await watcher.watch(folders, hear)
    },
  }
}
