import { addUsage, NO_USAGE, type Usage } from '../../../kernel/domain/model-usage.ts'
import { asList, asObject, asObjects, asText, type JsonObject } from '../../../kernel/system/json-value.ts'
import { SERVER, type ClientRun } from '../define-client.ts'
import { count, messageOf, textOf, type EventReader, type Told } from '../read-event.ts'

const PREFIX = `mcp__${SERVER}__`
const LIMITS: Readonly<Record<string, 'steps' | 'cost'>> = {
  error_max_turns: 'steps',
  error_max_budget_usd: 'cost',
}

/** Reads `--output-format stream-json`: deltas as they arrive, calls once complete. */
export function claudeReader({ request }: Pick<ClientRun, 'request'>): EventReader {
  let spent: Usage = NO_USAGE
  let end: ReturnType<EventReader['ended']>
  // Whether the current text was already reported in deltas; the client sends it again as a whole.
  let isTold = false
  const read = (event: JsonObject): readonly Told[] => {
    // Subagent output is not part of the answer.
    if (asText(event['parent_tool_use_id']) !== undefined) return []
    switch (event['type']) {
      case 'system':
        if (event['subtype'] === 'api_retry') return [{ type: 'complaint', message: retryOf(event) }]
        return event['subtype'] === 'init' ? began(event) : []
      case 'stream_event': {
        const inner = asObject(event['event']) ?? {}
        // Input usage is reported when a message begins, output usage when it ends.
        const { input, cached } = usageOf(asObject(asObject(inner['message'])?.['usage']) ?? {})
        const { output } = usageOf(asObject(inner['usage']) ?? {})
        spent = addUsage(spent, { ...NO_USAGE, input, cached, output })
        const told = delta(inner)
        if (told.some(({ type }) => type === 'text')) isTold = true
        return told
      }
      case 'assistant': {
        const message = asObject(event['message']) ?? {}
        // The client's own error text, which the result repeats.
        if (message['model'] === '<synthetic>') return []
        const blocks = asObjects(message['content'])
        const texts = isTold ? [] : blocks.flatMap((block) => paragraph(block))
        if (blocks.some(({ type }) => type === 'text')) isTold = false
        return [...texts, ...blocks.flatMap(callOf)]
      }
      case 'user':
        return asObjects(asObject(event['message'])?.['content']).flatMap(resultOf)
      case 'result': {
        const usage = { ...usageOf(asObject(event['usage']) ?? {}), ...costOf(event, request.session !== undefined) }
        const reached = LIMITS[String(event['subtype'])]
        const reason = reached !== undefined || event['stop_reason'] === 'max_tokens' ? 'length' : 'stop'
        end = { reason, ...(reached !== undefined && { reached }), usage }
        if (event['is_error'] !== true || reached !== undefined) return []
        return [
          { type: 'failure', message: messageOf(event['result']) || asList(event['errors']).map(messageOf).join(' ') },
        ]
      }
      default:
        return []
    }
  }
  return { read, ended: () => end, usage: () => end?.usage ?? spent }
}

function began(event: JsonObject): readonly Told[] {
  const session = asText(event['session_id'])
  const model = asText(event['model'])
  const foreign = asList(event['tools']).find((tool) => !String(tool).startsWith(PREFIX))
  const servers = asObjects(event['mcp_servers']).filter(({ name }) => name !== SERVER)
  if (foreign !== undefined) return [{ type: 'overstep', what: `the tool ${String(foreign)}` }]
  if (servers.length > 0) return [{ type: 'overstep', what: `the MCP server ${String(servers[0]!['name'])}` }]
  return session === undefined ? [] : [{ type: 'session', session, ...(model !== undefined && { model }) }]
}

const retryOf = (event: JsonObject): string =>
  `${asText(event['error']) ?? 'its provider failed'} (${String(event['error_status'] ?? 'no status')})`

function delta(event: JsonObject): readonly Told[] {
  if (event['type'] === 'message_start') return [{ type: 'step' }]
  if (event['type'] !== 'content_block_delta') return []
  const found = asObject(event['delta']) ?? {}
  const text = asText(found['text'])
  const thinking = asText(found['thinking'])
  if (found['type'] === 'text_delta' && text !== undefined) return [{ type: 'text', text }]
  return found['type'] === 'thinking_delta' && thinking !== undefined ? [{ type: 'reasoning', text: thinking }] : []
}

const paragraph = (block: JsonObject): readonly Told[] => {
  const text = block['type'] === 'text' ? asText(block['text']) : undefined
  return text === undefined ? [] : [{ type: 'paragraph', text }]
}

function callOf(block: JsonObject): readonly Told[] {
  const id = asText(block['id'])
  const name = asText(block['name'])
  if (block['type'] !== 'tool_use' || id === undefined || name === undefined) return []
  return [{ type: 'call', id, name: name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name, input: block['input'] }]
}

function resultOf(block: JsonObject): readonly Told[] {
  const id = asText(block['tool_use_id'])
  if (block['type'] !== 'tool_result' || id === undefined) return []
  return [{ type: 'result', id, text: textOf(block['content']), failed: block['is_error'] === true }]
}

/** Cached input is counted separately from the rest. */
function usageOf(usage: JsonObject): Usage {
  const cached = count(usage['cache_read_input_tokens'])
  return {
    input: count(usage['input_tokens']) + count(usage['cache_creation_input_tokens']) + cached,
    output: count(usage['output_tokens']),
    cached,
    reasoning: count(asObject(usage['output_tokens_details'])?.['thinking_tokens']),
  }
}

/** Cost of this run. The reported total covers the whole session, including earlier questions. */
function costOf(event: JsonObject, isResumed: boolean): { cost?: number } {
  const since = asObject(event['model_usage_since_last_result'])
  if (since !== undefined)
    return { cost: Object.values(since).reduce<number>((sum, model) => sum + count(asObject(model)?.['costUSD']), 0) }
  const total = event['total_cost_usd']
  return isResumed || typeof total !== 'number' ? {} : { cost: total }
}
