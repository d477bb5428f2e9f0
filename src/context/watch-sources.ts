import { orStopped } from '../kernel/domain/stop.ts'
import { plural } from '../kernel/domain/text.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { Watcher, Watching } from '../kernel/ports/watcher.ts'
import type { ContextNeeds } from './ports/context-needs.ts'

export interface SourceLook {
  /** Seconds between two syncs. */
  readonly every: number
  /** Compiles the changes and returns a report; undefined if there are none. */
  look(): Promise<string | undefined>
}

/**
 * Syncs repeatedly until the caller stops it: soon after a local file of a source was written, and at intervals,
 * because a database or a remote page sends no notification.
 */
export async function watchSources(
  ctx: Call & ContextNeeds,
  watcher: Watcher,
  { every, look }: SourceLook,
): Promise<void> {
  const places = await openPlaces(ctx, watcher)
  const tell = (line: string): void => ctx.progress(line, 0, 0)
  let told: string | undefined
  try {
    const count = await places.follow()
    tell(
      `Looking again every ${every} s${count > 0 ? `, and when one of ${plural(count, 'local file or folder', 'local files and folders')} changes` : ''}. Ctrl-C ends it.`,
    )
    while (await places.isQuietFor(every * 1000)) {
      // A ken.yaml that is being edited, or another run, must not end the watch.
      const said = await look().catch((thrown: unknown) => (ctx.signal?.aborted ? undefined : toAppError(thrown).line))
      if (said !== undefined && said !== told) tell(`${ctx.clock.now().toISOString().slice(11, 19)} ${said}`)
      told = said
      await places.follow().catch(() => undefined)
    }
  } finally {
    await places.close()
  }
}

/** Watches the local files of the sources, and restarts when ken.yaml names others. */
async function openPlaces(ctx: Call & ContextNeeds, watcher: Watcher) {
  let watching: Watching | undefined
  let watched = ''
  let isRung = false
  let wake = (): void => {}
  const changed = (): void => {
    isRung = true
    wake()
  }
  return {
    /** Returns the number of places. */
    async follow(): Promise<number> {
      const now = (await ctx.contextProject()).places()
      if (watched === now.join('\n')) return now.length
      // A change that the old watch detected but had not yet reported would be lost.
      isRung = watching !== undefined
      await watching?.close()
      // Places that cannot be watched are covered by the next sync.
      watching = await watcher.watch(now, { changed, failed: () => undefined })
      watched = now.join('\n')
      return now.length
    },
    /** Waits this long, or until something changes; false as soon as the caller stops it. */
    async isQuietFor(milliseconds: number): Promise<boolean> {
      let timer: NodeJS.Timeout | undefined
      const woken = new Promise<void>((go) => {
        wake = go
        timer = setTimeout(go, isRung ? 0 : milliseconds)
      })
      try {
        await orStopped(woken, ctx.signal)
        isRung = false
        return true
      } catch {
        return false
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => watching?.close(),
  }
}
