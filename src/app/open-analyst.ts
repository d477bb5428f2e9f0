import { join } from 'node:path'
import { systemClock } from '../adapters/clock/system/index.ts'
import type { openLease } from '../adapters/lease/sqlite/index.ts'
import { openTurns, type Turns } from '../agent/running-turns.ts'
import type { AnalystState } from '../ports/analyst-state.ts'

export interface Analyst {
  /** Opened when first asked for. */
  state(): Promise<AnalystState>
  readonly turns: Turns
  close(): Promise<void>
}

/** What the analyst keeps, and its turns that are under way. */
export function openAnalyst(home: string): Analyst {
  let opened: Promise<AnalystState> | undefined
  // Loaded with the state, without which there are no turns.
  let lease: typeof openLease | undefined
  const state = (): Promise<AnalystState> => (opened ??= open())
  const turns = openTurns(state, (chat) => lease!(join(home, 'turns', `${chat}.lock`), { passing: true }))
  async function open(): Promise<AnalystState> {
    const [leases, { openSqliteAnalystState }, { tidyChats }] = await Promise.all([
      import('../adapters/lease/sqlite/index.ts'),
      import('../adapters/state/sqlite/analyst-state.ts'),
      import('../agent/tidy-chats.ts'),
    ])
    lease = leases.openLease
    const kept = await openSqliteAnalystState(join(home, 'state.db'))
    // What can only be read is still read.
    await tidyChats(kept, systemClock, turns).catch(() => {})
    return kept
  }
  return {
    state,
    turns,
    async close() {
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}
