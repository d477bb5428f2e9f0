import { asList, asObject, asText, asWords, type JsonObject, parseObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { isoTime } from '../../domain/session/session.ts'
import { userQuery } from './human-text.ts'

const PERSON = 1
const ASSISTANT = 2
/** Some releases wrote milliseconds since the window was opened. */
const FIRST_REAL_TIME = Date.parse('2020-01-01T00:00:00.000Z')

/** Events and time of a message; `before` is the time of the previous one. */
export function bubbleEvents(bubble: JsonObject, before: string): { events: SessionEvent[]; at: string } {
  const at = timeOf(bubble) ?? before
  const text = asText(bubble.text) ?? ''
  if (bubble.type === PERSON) {
    const images = asList(bubble.images).length
    return { events: [{ kind: 'user', text: userQuery(text) ?? text, at, ...(images > 0 ? { images } : {}) }], at }
  }
  if (bubble.type !== ASSISTANT) return { events: [], at }
  const tool = asObject(bubble.toolFormerData)
  const name = asWords(tool?.name)
  const events: SessionEvent[] = [{ kind: 'assistant', text, at }]
  if (tool !== undefined && name !== undefined)
    events.push({
      kind: 'tool',
      name,
      ok: outcomeOf(tool),
      detail: callDetail(tool.params) ?? callDetail(tool.rawArgs),
    })
  return { events, at }
}

function timeOf(bubble: JsonObject): string | undefined {
  const started = asObject(bubble.timingInfo)?.clientStartTime
  return (
    isoTime(bubble.createdAt) ??
    (typeof started === 'number' && started >= FIRST_REAL_TIME ? isoTime(started) : undefined)
  )
}

function outcomeOf(tool: JsonObject): boolean | null {
  if (tool.status === 'error' || tool.status === 'cancelled' || tool.userDecision === 'rejected') return false
  if (tool.status !== 'completed') return null
  const result = parseObject(asText(tool.result) ?? '')
  return [result?.exitCode, result?.exitCodeV2].every((code) => typeof code !== 'number' || code === 0)
}
