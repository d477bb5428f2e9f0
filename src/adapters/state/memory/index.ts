import type { Tombstone } from '../../../core/upkeep/session-retention.ts'
import type { State } from '../../../ports/state.ts'

/** State that lives as long as the process. */
export function openMemoryState(): State {
  const cursors = new Map<string, string>()
  const stones = new Map<string, Tombstone>()
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
        if (stones.get(place)?.why === 'forgotten' && stone.why === 'evicted') continue
        stones.set(place, { ...stone })
      }
    },
    async close() {},
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
