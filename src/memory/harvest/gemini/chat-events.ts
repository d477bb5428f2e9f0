import { asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { exitCodeOf } from '../../domain/session/exit-code.ts'
import { withoutTagged } from '../../domain/session/injected.ts'
import { isRefusal } from '../../domain/session/refused-call.ts'
import { isoTime } from '../../domain/session/session.ts'
import { withoutReferencedFiles } from '../referenced-files.ts'

// Context that the client sends as the user's first message, or before the user's words.
const CONTEXT = /^\s*<(?:session_context|loaded_context)>/
// Commands to the client itself; it treats `//` and `/*` as ordinary text.
const COMMAND = /^(?:\/(?![/*])|\?)/
const SNAPSHOT = /^\s*<state_snapshot>/
const SHELL = /shell/
const SNAPSHOT_REPLY = 'Got it. Thanks for the additional context!'

export function chatEvents(messages: readonly JsonObject[]): SessionEvent[] {
  const events: SessionEvent[] = []
  let at = '1970-01-01T00:00:00.000Z'
  for (const message of messages) {
    at = isoTime(message.timestamp) ?? at
    if (message.type === 'user') events.push(...userSaid(message, at))
    else if (message.type === 'gemini') events.push(...assistantSaid(message, at, events.at(-1)))
  }
  return events
}

function userSaid(message: JsonObject, at: string): readonly SessionEvent[] {
  const content = partsOf(message.content)
  const sent = textOf(content)
  if (SNAPSHOT.test(sent)) return [{ kind: 'compacted', at, text: sent }]
  // The prompt as the user saw it, if the client expanded it before sending.
  const shown = message.displayContent === undefined ? sent : textOf(partsOf(message.displayContent))
  const text = withoutReferencedFiles(withoutTagged(shown, 'hook_context')).trim()
  if (COMMAND.test(text)) return []
  return [{ kind: 'user', at, text, images: content.filter(isImage).length }]
}

function assistantSaid(message: JsonObject, at: string, before: SessionEvent | undefined): readonly SessionEvent[] {
  const text = textOf(partsOf(message.content).filter((part) => part.thought !== true))
  if (before?.kind === 'compacted' && text.trim() === SNAPSHOT_REPLY) return []
  const tools = asObjects(message.toolCalls).map((call): SessionEvent => ({
    kind: 'tool',
    name: asWords(call.name) ?? 'unknown',
    ok: outcome(call),
    refused: call.status !== 'success' && isRefusal(resultOf(call)),
    detail: callDetail(call.args),
  }))
  return [{ kind: 'assistant', at, text }, ...tools]
}

function outcome(call: JsonObject): boolean | null {
  // A failed command is still a successful call; its exit code is below the output.
  if (call.status === 'success') return !SHELL.test(asText(call.name) ?? '') || (exitCodeOf(resultOf(call)) ?? 0) === 0
  return call.status === 'error' || call.status === 'cancelled' ? false : null
}

function resultOf(call: JsonObject): string {
  return partsOf(call.result)
    .map((part) => asText(responseOf(part)?.output) ?? asText(responseOf(part)?.error) ?? '')
    .join('\n')
}

const responseOf = (part: JsonObject): JsonObject | undefined => asObject(asObject(part.functionResponse)?.response)

function partsOf(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ text: content }]
  return Array.isArray(content) ? content.flatMap(partsOf) : asObjects([content])
}

/** Joins the parts of a text, which the client splits arbitrarily, without a break between them. */
function textOf(parts: readonly JsonObject[]): string {
  return parts
    .map((part) => asText(part.text) ?? '')
    .filter((text) => !CONTEXT.test(text))
    .join('')
}

function isImage(part: JsonObject): boolean {
  const data = asObjects([part.inlineData, part.fileData])[0]
  return asText(data?.mimeType)?.startsWith('image/') === true
}
