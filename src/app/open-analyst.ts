import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openTurns } from '../analyst/running-turns.ts'
import type { Apart } from '../evaluation/ports/evaluation-needs.ts'
import type { EvaluationState } from '../evaluation/ports/evaluation-state.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import type { SharedLeases } from '../kernel/ports/shared-lease.ts'
import { systemClock } from '../kernel/system/clock.ts'
import type { Context } from '../operations/context.ts'
import type { Environment } from './settings.ts'

/** The only user of a machine; a team server has several. */
export const LOCAL_USER = 'local'

type AnalystContext = Pick<
  Context,
  'user' | 'analystState' | 'spent' | 'turns' | 'charts' | 'pagePrinter' | 'storyLease' | 'apart' | 'stateEnvironment'
>

/**
 * The analyst's dependencies on this machine: its state, its turns, its chart renderer and its PDF printer. A server
 * that answers a turn of a separate state finds that state through KEN_STATE.
 */
export function openAnalyst(
  home: string,
  environment: Environment,
): { readonly context: AnalystContext; close(): Promise<void> } {
  const { KEN_STATE: elsewhere } = environment
  const { close, ...state } = openState(elsewhere || home)
  return {
    context: {
      ...state,
      user: LOCAL_USER,
      spent: async ({ since, project }) =>
        (await state.analystState()).calls.spent({
          since,
          ...(project === undefined ? { user: LOCAL_USER } : { project }),
        }),
      charts: async () => (await import('../analyst/chart/index.ts')).openEchartsPainter(),
      pagePrinter: async () => (await import('../analyst/page-printer/index.ts')).pdfkitPrinter,
      stateEnvironment: elsewhere ? { KEN_STATE: elsewhere } : {},
      apart: async () => openApart(join(home, 'apart')),
    },
    close,
  }
}

/** Opens a temporary separate state; leftovers of a crash are removed by the next call. */
async function openApart(parent: string): Promise<Apart> {
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  const folder = mkdtempSync(join(parent, 'state-'))
  sweep(parent)
  const state = openState(folder, true)
  return {
    ...state,
    stateEnvironment: { KEN_STATE: folder },
    async close() {
      await state.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const A_DAY = 86_400_000

/** Removes leftovers. Ignores failures: another process may sweep at the same time, and leftovers do no harm. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    try {
      const path = join(parent, name)
      if (statSync(path).mtimeMs < Date.now() - A_DAY) rmSync(path, { recursive: true, force: true })
    } catch {
      // Kept until the next sweep.
    }
  }
}

type State = Pick<Context, 'analystState' | 'turns' | 'storyLease'> & { close(): Promise<void> }

function openState(home: string, passing = false): State {
  let state: Promise<EvaluationState> | undefined
  const analystState = () =>
    (state ??= import('../database/state/sqlite/analyst-state.ts').then(async (load) =>
      tidied(await load.openSqliteAnalystState(join(home, 'state.db'), { passing })),
    ))
  const leases = fileLeases(home)
  const turns = openTurns({ leases }).of(analystState)
  /** Tidies the state; ignores failures, as a full disk must not prevent reading. */
  const tidied = async (opened: EvaluationState): Promise<EvaluationState> => {
    const { tidyChats } = await import('../analyst/tidy-chats.ts')
    await tidyChats(opened, systemClock, turns).catch(() => {})
    return opened
  }
  return {
    analystState,
    turns,
    storyLease: (story) => leases.tryTake(`story ${story}`),
    async close() {
      await (await state?.catch(() => undefined))?.close()
    },
  }
}

/** File leases, loaded on first use. */
function fileLeases(home: string): SharedLeases {
  const fileOf = (name: string) => {
    const [kind, id = ''] = name.split(' ')
    return kind === 'turn'
      ? { path: join(home, 'turns', `${id}.lock`), passing: true }
      : { path: join(home, 'leases', `${kind}-${sha256(id).slice(0, 16)}.db`) }
  }
  let leases: Promise<SharedLeases> | undefined
  const load = () =>
    (leases ??= import('../kernel/lease/sqlite/shared.ts').then((loaded) => loaded.openFileLeases(fileOf)))
  return {
    tryTake: async (name) => (await load()).tryTake(name),
    close: async () => (await leases)?.close(),
  }
}
