import type { McpServer } from '@modelcontextprotocol/server'

const INTERVAL = 2_000
// Each is read once per interval.
const MOST = 50

/**
 * Notifies the client when the text of a resource that it subscribed to changes, regardless of who changed it. Reading
 * and comparing also notices edits by other programs.
 */
export function holdSubscriptions(server: McpServer, read: (uri: string) => Promise<string>): void {
  const known = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    for (const [uri, before] of known) {
      // A deleted resource counts as changed.
      const now = comparable(await read(uri).catch(() => ''))
      if (now === before || !known.has(uri)) continue
      known.set(uri, now)
      // Fails after the client has disconnected.
      await server.server.sendResourceUpdated({ uri }).catch(() => known.clear())
    }
    timer = known.size === 0 ? undefined : schedule()
  }
  const schedule = (): NodeJS.Timeout => setTimeout(() => void look(), INTERVAL).unref()
  server.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (known.size >= MOST && !known.has(uri)) throw new Error(`Too many subscriptions: at most ${MOST}.`)
    known.set(uri, comparable(await read(uri)))
    timer ??= schedule()
    return {}
  })
  server.server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    known.delete(uri)
    return {}
  })
}

/** Removes the mark, which is new in every envelope. */
const comparable = (text: string): string => text.replaceAll(/(<\/?ken-context-)\w+/g, '$1')
