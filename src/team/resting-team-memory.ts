import type { Clock } from '../kernel/ports/clock.ts'
import { AskedTooLong } from '../memory/ask-beside.ts'
import type { TeamMemory } from './ports/team-memory.ts'

const REST_MS = 30_000

/** When each server that did not answer is asked again, by its address. */
export type Rests = Map<string, number>

/** A memory whose server is left alone for half a minute after it did not answer: no search in a row waits for nothing. */
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
        // One that cannot be reached says so at once.
        if (signal.aborted) rests.set(server, now() + REST_MS)
        throw error
      }
    },
    read: (name, part) => memory.read(name, part),
  }
}
