import { NO_USAGE, type Usage } from '../../../kernel/domain/model-usage.ts'
import { asObject, asText, type JsonObject } from '../../../kernel/system/json-value.ts'
import { SERVER } from '../define-client.ts'
import { count, messageOf, type EventReader, type Told } from '../read-event.ts'

const PREFIX = `mcp_${SERVER}_`

/** Reads `gemini -o stream-json`. */
export function geminiReader(): EventReader {
  let end: ReturnType<EventReader['ended']>
  const read = (event: JsonObject): readonly Told[] => {
    switch (event['type']) {
      case 'init': {
        const session = asText(event['session_id'])
        const model = asText(event['model'])
        return session === undefined ? [] : [{ type: 'session', session, ...(model !== undefined && { model }) }]
      }
      case 'message': {
        const text = asText(event['content'])
        if (event['role'] !== 'assistant' || text === undefined) return []
        return [{ type: event['delta'] === true ? 'text' : 'paragraph', text }]
      }
      case 'tool_use':
        return callOf(event)
      case 'tool_result':
        return resultOf(event)
      case 'error':
        return [{ type: 'complaint', message: messageOf(event['message']) }]
      case 'result':
        end = { reason: 'stop', usage: usageOf(asObject(event['stats']) ?? {}) }
        return event['status'] === 'error' ? [{ type: 'failure', message: messageOf(event['error']) }] : []
      default:
        return []
    }
  }
  return { read, ended: () => end, usage: () => end?.usage ?? NO_USAGE }
}

function callOf(event: JsonObject): readonly Told[] {
  const id = asText(event['tool_id'])
  const name = asText(event['tool_name'])
  if (id === undefined || name === undefined) return []
  return [
    { type: 'call', id, name: name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name, input: event['parameters'] },
  ]
}

function resultOf(event: JsonObject): readonly Told[] {
  const id = asText(event['tool_id'])
  if (id === undefined) return []
  const text = asText(event['output']) ?? messageOf(event['error'])
  return [{ type: 'result', id, text, failed: event['status'] !== 'success' }]
}

const usageOf = (stats: JsonObject): Usage => ({
  input: count(stats['input_tokens']),
  output: count(stats['output_tokens']),
  cached: count(stats['cached']),
  reasoning: Math.max(0, count(stats['total_tokens']) - count(stats['input_tokens']) - count(stats['output_tokens'])),
})
