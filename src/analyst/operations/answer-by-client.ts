import type { ModelMessage, ModelText } from '../../kernel/ports/language-model.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import { askClient } from '../ask-client.ts'
import type { TurnResult } from '../ask-model.ts'
import type { AgentClient, ClientRequest } from '../ports/agent-client.ts'
import type { turnContent } from '../turn-content.ts'
import type { AskedTurn, TurnDesk } from './asked-turn.ts'
import { keepCall } from './keep-call.ts'
import { withinLimits } from './turn-limits.ts'

export interface ClientDesk extends TurnDesk {
  readonly client: AgentClient
  /** The operations that Ken's server offers to the client. */
  readonly names: readonly string[]
  readonly system: string
  readonly content: ReturnType<typeof turnContent>
}

/** A turn answered by an installed client, with its own model and Ken's server. */
export async function answerByClient(ctx: Given<'analyst'>, asked: AskedTurn, desk: ClientDesk): Promise<TurnResult> {
  const { chat, answer } = asked
  const { writer, state, before, client } = desk
  const [id, session] = chat.clientSession?.split(' ') ?? []
  const texts = desk.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length < desk.content.length)
    await writer.add({ kind: 'notice', text: `${client.id} is asked without the images.` })
  const earlier = before.messages.length === 0 ? [] : [toldBefore(before.messages)]
  const started = ctx.clock.now().getTime()
  const result = await withinLimits(ctx, writer, (caps, signal) => {
    const anew: ClientRequest = {
      system: desk.system,
      prompt: [...earlier, ...texts].join('\n\n'),
      server: {
        command: [...machineOf(ctx).launcher, 'serve', '--stdio'],
        environment: {
          ...ctx.stateEnvironment,
          KEN_CHAT: chat.id,
          KEN_MESSAGE: answer.id,
          KEN_TOOLS: desk.names.join(','),
        },
      },
      tools: desk.names,
      maxSteps: caps.steps,
      maxTokens: caps.tokens,
      maxCost: caps.cost,
      signal,
    }
    return askClient({
      client,
      writer,
      request: id === client.id && session !== undefined ? { ...anew, session, prompt: texts.join('\n\n') } : anew,
      anew,
      keepSession: (own) => state.chats.change(chat.id, { clientSession: `${client.id} ${own}` }),
    })
  })
  await keepCall(ctx, state, {
    purpose: 'answer',
    model: client.id,
    usage: result.usage,
    milliseconds: ctx.clock.now().getTime() - started,
    failed: result.reason === 'failed',
    answer,
    project: chat.project,
  })
  return result
}

const LONGEST_BEFORE = 20_000

/** The conversation so far, for a client that was not part of it. */
function toldBefore(messages: readonly ModelMessage[]): string {
  const lines = messages.flatMap((message) =>
    message.role === 'tool'
      ? []
      : message.content
          .filter((part): part is ModelText => part.type === 'text')
          .map(({ text }) => `${message.role === 'user' ? 'Person' : 'Analyst'}: ${text}`),
  )
  return `What was said in this conversation so far:\n\n${lines.join('\n\n').slice(-LONGEST_BEFORE)}\n\nNow the person says:`
}
