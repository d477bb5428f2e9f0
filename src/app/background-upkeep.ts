import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Context } from '../operations/context.ts'

// In milliseconds. A server is started with every agent session, and the machine is busy in its first moments. Earlier
// text should still be searchable within ten seconds.
const HEAD_START = 3_000
const LAST_WAIT = 5_000

/**
 * Runs memory upkeep while a server runs, if enabled and no other process does; and upkeep of scheduled stories if the
 * server is long-lived.
 */
export function startBackgroundUpkeep(
  ctx: Context,
  warn: (line: string) => void,
  { headStart = HEAD_START, stories = false }: { headStart?: number; stories?: boolean } = {},
): { stop(): Promise<void> } {
  if (ctx.settings.get('upkeep.background').value !== true) return { stop: async () => {} }
  const stopping = Promise.withResolvers<void>()
  const cut = new AbortController()
  let work: Promise<unknown> = Promise.resolve()
  const start = setTimeout(() => {
    const begun = Promise.all([ctx.upkeep(), import('../memory/maintain.ts')]).then(([parts, { maintain }]) =>
      maintain({ ...ctx, signal: cut.signal }, parts, { stopped: stopping.promise, tell: () => {}, warn }),
    )
    const memory = begun.catch((error: unknown) => warn(toAppError(error).line))
    work = Promise.all([memory, stories ? refreshStories() : undefined])
  }, headStart)
  const refreshStories = async (): Promise<void> => {
    const { keepFresh } = await import('../analyst/operations/fresh-stories.ts')
    await keepFresh({ ...ctx, signal: cut.signal }, { stopped: stopping.promise, tell: () => {}, warn })
  }
  return {
    /** Does not wait for long work: the next cycle repeats interrupted work. */
    async stop() {
      clearTimeout(start)
      stopping.resolve()
      cut.abort()
      let late: NodeJS.Timeout | undefined
      await Promise.race([work, new Promise((resolve) => (late = setTimeout(resolve, LAST_WAIT)))])
      clearTimeout(late)
    },
  }
}
