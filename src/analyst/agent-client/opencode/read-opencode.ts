import { addUsage, NO_USAGE, type Usage } from '../../../kernel/domain/model-usage.ts'
import { asObject, asText, type JsonObject } from '../../../kernel/system/json-value.ts'
import { SERVER } from '../define-client.ts'
import { count, messageOf, type EventReader, type Told } from '../read-event.ts'

const PREFIX = `${SERVER}_`
const CUT = new Set(['length', 'max-tokens'])

/** Reads `opencode run --format json`: parts once complete, each step with its usage. */
export function openCodeReader(): EventReader {
  let spent: Usage = NO_USAGE
  let end: ReturnType<EventReader['ended']>
  const read = (event: JsonObject): readonly Told[] => {
    const session = asText(event['sessionID'])
    const part = asObject(event['part']) ?? {}
    const began: readonly Told[] = session === undefined ? [] : [{ type: 'session', session }]
    if (event['type'] === 'step_finish') {
      spent = addUsage(spent, usageOf(part))
      const reason = String(part['reason'])
      // The client continues after a step with tool calls.
      end = reason === 'tool-calls' ? undefined : { reason: CUT.has(reason) ? 'length' : 'stop', usage: spent }
    }
    return [...began, ...toldBy(event, part)]
  }
  return { read, ended: () => end, usage: () => spent }
}

function toldBy(event: JsonObject, part: JsonObject): readonly Told[] {
  const text = asText(part['text'])
  switch (event['type']) {
    case 'step_start':
      return [{ type: 'step' }]
    case 'text':
      return text === undefined ? [] : [{ type: 'paragraph', text }]
    case 'reasoning':
      return text === undefined ? [] : [{ type: 'reasoning', text: `${text}\n\n` }]
    case 'tool_use':
      return callAndResult(part)
    case 'error':
      return [{ type: 'failure', message: messageOf(event['error']) }]
    default:
      return []
  }
}

/** Returns a call with its result: OpenCode reports a call only when it has finished. */
function callAndResult(part: JsonObject): readonly Told[] {
  const state = asObject(part['state']) ?? {}
  const id = asText(part['callID'])
  const name = asText(part['tool'])
  if (id === undefined || name === undefined) return []
  const failed = state['status'] === 'error'
  const text = (failed ? messageOf(state['error']) : asText(state['output'])) ?? ''
  return [
    { type: 'call', id, name: name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name, input: state['input'] },
    { type: 'result', id, text, failed },
  ]
}

/** Cached input and thinking output are counted separately from the rest. */
function usageOf(part: JsonObject): Usage {
  const tokens = asObject(part['tokens']) ?? {}
  const cache = asObject(tokens['cache']) ?? {}
  const cached = count(cache['read'])
  const reasoning = count(tokens['reasoning'])
  // OpenCode reports a cost of zero for a provider without known prices.
  const cost = count(part['cost'])
  return {
    input: count(tokens['input']) + count(cache['write']) + cached,
    output: count(tokens['output']) + reasoning,
    cached,
    reasoning,
    ...(cost > 0 && { cost }),
  }
}
