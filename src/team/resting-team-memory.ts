import type { Clock } from '../kernel/ports/clock.ts'
import { AskedTooLong } from '../memory/ask-beside.ts'
import type { TeamMemory } from './ports/team-memory.ts'

const REST_MS = 30_000

/** Time of the next retry of each server that did not answer, by its address. */
export type Rests = Map<string, number>

/**
 * Wraps a memory so that a server that did not answer is skipped for half a minute: later searches do not wait in vain.
 */
export function restingTeamMemory(
  memory: TeamMemory,
  { server, rests, clock }: { readonly server: string; readonly rests: Rests; readonly clock: Pick<Clock, 'now'> },
): TeamMemory {
  const now = (): number => clock.now().getTime()
  return {
    async search(question, signal) {
      if (now() < (rests.get(server) ?? 0)) throw new AskedTooLong()
      try {
        return await memory.search(question, signal)
      } catch (error) {
        // Only a timeout counts: an unreachable server fails at once.
        if (signal.aborted) rests.set(server, now() + REST_MS)
        throw error
      }
    },
    read: (name, part) => memory.read(name, part),
  }
}
