import type { TurnScope } from '../analyst/ports/turn-scope.ts'
import { AppError } from '../kernel/domain/errors.ts'
import type { Context } from '../operations/context.ts'
import type { OfferedToolset } from '../operations/operation.ts'
import { loadOperations, type RegisteredOperation } from '../operations/registry.ts'
import type { Environment } from './settings.ts'

/** The turn of a server that was started by a client of the analyst. */
export interface ServedTurn {
  /** Folder of its chat. */
  readonly folder: string
  /** For one call; a new id if the client does not send its own. */
  scope(call: string | undefined): TurnScope
}

/** The turn that waits for this server; undefined for a standalone server. */
export async function turnOfEnvironment(
  environment: Environment,
  ctx: Pick<Context, 'analystState' | 'clock' | 'user'>,
): Promise<ServedTurn | undefined> {
  const { KEN_CHAT: id, KEN_MESSAGE: message } = environment
  if (!id || !message) return undefined
  const state = await ctx.analystState()
  const chat = await state.chats.find(id, ctx.user)
  const written = (await state.log.messages(id)).find((one) => one.id === message)
  if (chat === undefined || written?.role !== 'assistant' || written.end !== undefined)
    throw new AppError('not_found', 'There is no such turn under way (KEN_CHAT, KEN_MESSAGE).', {
      hint: 'Ken itself sets these; unset them to run a server of your own.',
    })
  const tally = new Map<string, number>()
  return {
    folder: chat.folder,
    scope: (call) => ({
      chat: id,
      message,
      call: call ?? ctx.clock.ulid(),
      tally,
      async add(part) {
        await state.log.append({ id: message, chat: id }, part, ctx.clock.now().toISOString())
      },
    }),
  }
}

/**
 * Operations of a server: the tools named by its turn, or some toolsets. A client that answers as the analyst gets
 * nothing that would begin another turn.
 */
export async function offeredOperations(
  environment: Environment,
  toolsets: readonly OfferedToolset[],
  turn: ServedTurn | undefined,
): Promise<readonly RegisteredOperation[]> {
  // Ignored without a turn: otherwise a server's configuration could expose the analyst's writing tools.
  const allowed = turn && environment['KEN_TOOLS']?.split(',')
  const operations = await loadOperations(allowed === undefined ? toolsets : undefined)
  return operations.filter(({ name }) => (allowed?.includes(name) ?? true) && !(turn && name === 'ask'))
}
