import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NO_USAGE, type Usage } from '../../../kernel/domain/model-usage.ts'
import { asObject, asText, parseObject, type JsonObject } from '../../../kernel/system/json-value.ts'
import { SERVER } from '../define-client.ts'
import { count, messageOf, textOf, type EventReader, type Told } from '../read-event.ts'

/** The client's built-in actions: none is allowed, and attempts are refused before they begin. */
const OWN_WORK = new Set(['command_execution', 'file_change', 'web_search', 'collab_tool_call', 'image_generation'])
const REFUSED = new Set(['failed', 'declined'])

/** Reads `codex exec --json`: items as they begin and end, each text as a whole. */
export function codexReader(spending: SessionSpending, resumed: string | undefined): EventReader {
  let session = resumed
  let end: ReturnType<EventReader['ended']>
  const read = (event: JsonObject): readonly Told[] => {
    const item = asObject(event['item'])
    switch (event['type']) {
      case 'thread.started':
        session = asText(event['thread_id'])
        return session === undefined ? [] : [{ type: 'session', session }]
      case 'item.started':
        return item === undefined ? [] : began(item)
      case 'item.completed':
        return item === undefined ? [] : completed(item)
      case 'turn.completed':
        end = { reason: 'stop', usage: sinceBefore(asObject(event['usage']) ?? {}) }
        return []
      case 'turn.failed':
        return [{ type: 'failure', message: messageOf(event['error']) }]
      case 'error':
        return [{ type: 'complaint', message: messageOf(event['message']) }]
      default:
        return []
    }
  }
  /** Usage of this run. Codex reports the usage of the whole session. */
  const sinceBefore = (told: JsonObject): Usage => {
    const total = {
      input: count(told['input_tokens']),
      output: count(told['output_tokens']),
      cached: count(told['cached_input_tokens']),
      reasoning: count(told['reasoning_output_tokens']),
    }
    if (session === undefined) return total
    const before = resumed === undefined ? NO_USAGE : spending.before(resumed)
    spending.keep(session, total)
    const left = (key: 'input' | 'output' | 'cached' | 'reasoning'): number => Math.max(0, total[key] - before[key])
    return { input: left('input'), output: left('output'), cached: left('cached'), reasoning: left('reasoning') }
  }
  return { read, ended: () => end, usage: () => end?.usage ?? NO_USAGE }
}

function began(item: JsonObject): readonly Told[] {
  const kind = asText(item['type'])
  if (kind !== undefined && OWN_WORK.has(kind)) return [{ type: 'overstep', what: `its ${kind.replaceAll('_', ' ')}` }]
  return isOurs(item) ? [callOf(item)] : []
}

function completed(item: JsonObject): readonly Told[] {
  const kind = asText(item['type'])
  const text = asText(item['text'])
  if (kind === 'agent_message' && text !== undefined) return [{ type: 'paragraph', text }]
  if (kind === 'reasoning' && text !== undefined) return [{ type: 'reasoning', text: `${text}\n\n` }]
  if (kind === 'error') return [{ type: 'complaint', message: messageOf(item['message']) }]
  if (kind !== undefined && OWN_WORK.has(kind) && !REFUSED.has(String(item['status'])))
    return [{ type: 'overstep', what: `its ${kind.replaceAll('_', ' ')}` }]
  if (!isOurs(item)) return []
  const failure = messageOf(item['error'])
  const result = asObject(item['result'])
  return [
    {
      type: 'result',
      id: String(item['id']),
      text: failure || textOf(result?.['content']),
      failed: failure !== '' || item['status'] === 'failed' || result?.['is_error'] === true,
    },
  ]
}

const isOurs = (item: JsonObject): boolean => item['type'] === 'mcp_tool_call' && item['server'] === SERVER

const callOf = (item: JsonObject): Told => ({
  type: 'call',
  id: String(item['id']),
  name: String(item['tool']),
  input: item['arguments'],
})

/** Total usage per session, for a client that reports only totals. */
interface SessionSpending {
  before(session: string): Usage
  keep(session: string, total: Usage): void
}

export function openSpending(folder: string): SessionSpending {
  const pathOf = (session: string): string => join(folder, '.spending', `${session}.json`)
  return {
    before(session) {
      const kept = parseObject(textAt(pathOf(session))) ?? {}
      return {
        input: count(kept['input']),
        output: count(kept['output']),
        cached: count(kept['cached']),
        reasoning: count(kept['reasoning']),
      }
    },
    keep(session, total) {
      mkdirSync(join(folder, '.spending'), { recursive: true, mode: 0o700 })
      writeFileSync(pathOf(session), JSON.stringify(total), { mode: 0o600 })
    },
  }
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
