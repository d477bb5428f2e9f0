import { NO_USAGE, type Usage } from '../kernel/domain/model-usage.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { TurnResult } from './ask-model.ts'
import { type EndReason } from './domain/chat/chat.ts'
import type { AgentClient, ClientRequest } from './ports/agent-client.ts'
import { failurePart, type TurnWriter } from './turn-writer.ts'

export interface ClientTurn {
  readonly client: AgentClient
  readonly request: ClientRequest
  /** The request without a session to resume, for a client that has lost it. */
  readonly anew?: ClientRequest
  readonly writer: TurnWriter
  /** Stores the client's session id, to resume it later. */
  keepSession(session: string): Promise<void>
}

/**
 * Answers with an installed client and its own model. The client uses Ken's tools, in a server that it starts; parts
 * that these tools add to the answer arrive through the log.
 */
export async function askClient(turn: ClientTurn): Promise<TurnResult> {
  const { client, request, writer, keepSession } = turn
  let usage: Usage = NO_USAGE
  let steps = 0
  let capped = false
  const tools = new Map<string, string>()
  const end = (reason: EndReason): TurnResult => ({ reason, usage, steps })
  try {
    for await (const event of client.ask(request)) {
      if (event.type === 'session') await keepSession(event.session)
      else if (event.type === 'text' || event.type === 'reasoning') await writer.say(event.type, event.text)
      else if (event.type === 'call') {
        steps++
        tools.set(event.id, event.name)
        await writer.add({ kind: 'call', call: event.id, tool: event.name, input: event.input })
      } else if (event.type === 'result') {
        await writer.adopt()
        const { id, text, failed } = event
        await writer.add({ kind: 'result', call: id, tool: tools.get(id) ?? '', text, failed })
      } else {
        usage = event.usage
        capped = event.reached !== undefined
        if (capped)
          await writer.add({
            kind: 'notice',
            text: `The limit of ${event.reached} (analyst.${event.reached}) is reached.`,
          })
        else if (event.reason === 'length')
          await writer.add({ kind: 'notice', text: 'The answer was cut off: it is as long as the model allows.' })
      }
    }
    await writer.adopt()
    const asked = writer.told().some(({ kind }) => kind === 'question')
    return end(asked ? 'asked' : capped ? 'capped' : 'answered')
  } catch (thrown) {
    await writer.adopt()
    if (request.signal.aborted) return end('stopped')
    if (toAppError(thrown).code === 'not_found' && turn.anew !== undefined)
      return askClient({ client, request: turn.anew, writer, keepSession })
    await writer.add(failurePart(thrown))
    return end('failed')
  }
}
