import type { ChatPart } from '../core/chat/part.ts'
import { AppError } from '../core/errors.ts'
import type { RegisteredOperation } from '../operations/registry.ts'
import { loadOperations } from '../operations/registry.ts'
import type { Context } from '../ports/context.ts'
import type { TurnScope } from '../ports/turn-scope.ts'
import type { Environment } from './settings.ts'

/** The turn of the analyst that a server was started for, by a client that answers in it. */
export interface ServedTurn {
  /** Where its chat belongs. */
  readonly folder: string
  /** What it is offered; never what would begin another turn. */
  operations(): Promise<readonly RegisteredOperation[]>
  /** For one call; a fresh id where the client does not tell its own. */
  scope(call: string | undefined): TurnScope
}

/** Undefined for a server that nobody's turn waits for. */
export async function turnOfEnvironment(
  environment: Environment,
  ctx: Pick<Context, 'analystState' | 'clock' | 'user'>,
): Promise<ServedTurn | undefined> {
  const { KEN_CHAT: id, KEN_MESSAGE: message, KEN_TOOLS: names } = environment
  if (!id || !message) return undefined
  const state = await ctx.analystState()
  const chat = await state.chats.find(id, ctx.user)
  const written = (await state.log.messages(id)).find((one) => one.id === message)
  if (chat === undefined || written?.role !== 'assistant' || written.end !== undefined)
    throw new AppError('not_found', 'There is no such turn under way (KEN_CHAT, KEN_MESSAGE).', {
      hint: 'These are set by Ken itself; unset them to run a server of your own.',
    })
  const tally = new Map<string, number>()
  const allowed = new Set(names?.split(',') ?? [])
  return {
    folder: chat.folder,
    operations: async () =>
      (await loadOperations()).filter(
        ({ name, hiddenFrom }) => allowed.has(name) && hiddenFrom.mcp === undefined && name !== 'ask',
      ),
    scope: (call) => ({
      chat: id,
      message,
      call: call ?? ctx.clock.ulid(),
      tally,
      add: async (part: ChatPart) => {
        await state.log.append({ id: message, chat: id }, part, ctx.clock.now().toISOString())
      },
    }),
  }
}
