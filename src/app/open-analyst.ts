import { join } from 'node:path'
import { systemClock } from '../adapters/clock/system/index.ts'
import type { openLease } from '../adapters/lease/sqlite/index.ts'
import { openTurns } from '../agent/running-turns.ts'
import { sha256 } from '../core/sha256.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { Context } from '../ports/context.ts'

/** One machine, one person; a team's server will know several. */
const LOCAL_USER = 'local'

type AnalystContext = Pick<Context, 'user' | 'analystState' | 'turns' | 'charts' | 'pagePrinter' | 'storyLease'>

/** What the analyst needs of the machine: its state, its turns, and what draws and prints. */
export function openAnalyst(home: string): { readonly context: AnalystContext; close(): Promise<void> } {
  let state: Promise<AnalystState> | undefined
  // Loaded with the state, without which there are no turns.
  let lease: typeof openLease | undefined
  const analystState = () =>
    (state ??= import('../adapters/lease/sqlite/index.ts').then(async (loaded) => {
      lease = loaded.openLease
      return tidied(await loadState(join(home, 'state.db')))
    }))
  const turns = openTurns(analystState, (chat) => lease!(join(home, 'turns', `${chat}.lock`), { passing: true }))
  /** A full disk keeps nobody from reading. */
  const tidied = async (opened: AnalystState): Promise<AnalystState> => {
    const { tidyChats } = await import('../agent/tidy-chats.ts')
    await tidyChats(opened, systemClock, turns).catch(() => {})
    return opened
  }
  return {
    context: {
      user: LOCAL_USER,
      analystState,
      turns,
      charts: async () => (await import('../adapters/chart/echarts/index.ts')).openEchartsPainter(),
      pagePrinter: async () => (await import('../adapters/page-printer/pdfkit/index.ts')).pdfkitPrinter,
      storyLease: async (story) =>
        (await import('../adapters/lease/sqlite/index.ts')).openLease(
          join(home, 'leases', `story-${sha256(story).slice(0, 16)}.db`),
        ),
    },
    async close() {
      await (await state?.catch(() => undefined))?.close()
    },
  }
}

const loadState = async (path: string): Promise<AnalystState> =>
  (await import('../adapters/state/sqlite/analyst-state.ts')).openSqliteAnalystState(path)
