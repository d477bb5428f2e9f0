import { asList, asObject, asText, asWords, type JsonObject, parseObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { withoutTagged } from '../../domain/session/injected.ts'
import { isoTime } from '../../domain/session/session.ts'

/** Events of one message in the panel. The first one is the task, whatever its type. */
export function messageEvents(message: JsonObject, index: number): SessionEvent[] {
  const at = isoTime(message.ts)
  // The final answer replaces a streamed one.
  if (at === undefined || message.partial === true) return []
  const text = asText(message.text) ?? ''
  if (message.type === 'say') return index === 0 ? [asked(message, text, at)] : saidEvents(message, text, at)
  return message.type === 'ask' ? askedEvents(message, text, at) : []
}

function saidEvents(message: JsonObject, text: string, at: string): SessionEvent[] {
  switch (message.say) {
    case 'task':
    case 'user_feedback':
      return [asked(message, text, at)]
    case 'text':
    case 'plan_completion_result':
      return [{ kind: 'assistant', text, at }]
    case 'completion_result':
      return [{ kind: 'assistant', text: text.replace(/HAS_CHANGES$/, ''), at }]
    case 'condense_context': {
      const summary = asText(asObject(message.contextCondense)?.summary)
      return summary === undefined ? [] : [{ kind: 'compacted', text: summary, at }]
    }
    case 'command':
    case 'tool':
    case 'use_mcp_server':
      return toolEvents(message.say, text)
    default:
      return []
  }
}

/** Events of a request to the person. A question is assistant text; a request to use a tool is a tool call. */
function askedEvents(message: JsonObject, text: string, at: string): SessionEvent[] {
  switch (message.ask) {
    case 'followup':
      return [{ kind: 'assistant', text: asText(parseObject(text)?.question) ?? text, at }]
    case 'plan_mode_respond':
    case 'act_mode_respond':
      return [{ kind: 'assistant', text: asText(parseObject(text)?.response) ?? text, at }]
    case 'command':
    case 'tool':
    case 'use_mcp_server':
      return toolEvents(message.ask, text)
    default:
      return []
  }
}

/** Tags the extension adds to a prompt before sending it to the model. */
const INJECTED =
  'environment_details|file_content|folder_content|url_content|workspace_diagnostics|explicit_instructions'

function asked(message: JsonObject, text: string, at: string): SessionEvent {
  const images = asList(message.images).length
  const files = asList(message.files).filter((file) => typeof file === 'string')
  return {
    kind: 'user',
    text: withoutTagged(text, INJECTED),
    at,
    ...(images > 0 ? { images } : {}),
    ...(files.length > 0 ? { files } : {}),
  }
}

/** Events of a tool call; the panel does not record outcomes. */
function toolEvents(kind: 'command' | 'tool' | 'use_mcp_server', text: string): SessionEvent[] {
  if (kind === 'command')
    return [{ kind: 'tool', name: 'execute_command', ok: null, detail: callDetail({ command: text }) }]
  const call = parseObject(text)
  const name = kind === 'tool' ? asWords(call?.tool) : (asWords(call?.toolName) ?? asWords(call?.type))
  const input = kind === 'tool' ? { path: call?.path, regex: call?.regex } : (call?.arguments ?? { uri: call?.uri })
  return name === undefined ? [] : [{ kind: 'tool', name, ok: null, detail: callDetail(input) }]
}
