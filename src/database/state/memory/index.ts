import type { Tombstone } from '../../../memory/domain/upkeep/session-retention.ts'
import type { State } from '../../../memory/ports/state.ts'

/** State kept in memory until the process ends. */
export function openMemoryState(): State {
  const cursors = new Map<string, string>()
  const stones = new Map<string, Tombstone>()
  const facts = new Map<string, string>()
  const key = (...parts: string[]): string => JSON.stringify(parts)
  return {
    cursor: async (client, root) => cursors.get(key(client, root)),
    async keepCursor(client, root, cursor) {
      cursors.set(key(client, root), cursor)
    },
    tombstones: async () =>
      [...stones.values()].sort((a, b) => order(a.client, b.client) || order(a.session, b.session)),
    async bury(tombstones) {
      for (const stone of tombstones) {
        const place = key(stone.client, stone.session)
        if (stones.get(place)?.why === 'forgotten' && stone.why !== 'forgotten') continue
        stones.set(place, { ...stone })
      }
    },
    async raise(sessions) {
      for (const { client, session } of sessions)
        if (stones.get(key(client, session))?.why !== 'forgotten') stones.delete(key(client, session))
    },
    fact: async (name) => facts.get(name),
    async keepFact(name, value) {
      facts.set(name, value)
    },
    async close() {},
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
