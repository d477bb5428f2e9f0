import { createHash } from 'node:crypto'
import { asObject, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import { assembleTurns, type Conversation, type SessionEvent } from '../../domain/session/assemble.ts'
import { isoTime } from '../../domain/session/session.ts'
import type { StoredMessage, StoredSession } from './stored-session.ts'

/** Turns of a session's messages. Reverted ones are separated, part by part if the revert names a part. */
export function conversationOf(messages: readonly StoredMessage[], revert: StoredSession['revert']): Conversation {
  if (revert === undefined) return assembleTurns(messages.flatMap(eventsOf))
  const kept = (part: { readonly id: string }, message: StoredMessage): boolean =>
    message.id < revert.message || (message.id === revert.message && revert.part !== undefined && part.id < revert.part)
  const side = (isLive: boolean): Conversation =>
    assembleTurns(
      messages
        .map((message) => ({ ...message, parts: message.parts.filter((part) => kept(part, message) === isLive) }))
        .filter((message) => message.parts.length > 0)
        .flatMap(eventsOf),
    )
  return { ...side(true), abandoned: side(false).turns }
}

/** Key shared by a fork's messages and their originals: they have new ids but keep role, time and text. */
export function messageKey(message: StoredMessage): string {
  const texts = message.parts.flatMap(({ part }) => (part.type === 'text' ? (asText(part.text) ?? []) : []))
  return createHash('sha256')
    .update(JSON.stringify([message.info.role, asObject(message.info.time)?.created, texts]))
    .digest('hex')
    .slice(0, 16)
}

function eventsOf({ info, parts }: StoredMessage): SessionEvent[] {
  const time = asObject(info.time)
  const at = isoTime(time?.created) ?? '1970-01-01T00:00:00.000Z'
  if (info.role === 'user')
    return userSaid(
      parts.map(({ part }) => part),
      at,
    )
  if (info.role !== 'assistant') return []
  if (info.summary === true || info.mode === 'compaction' || info.agent === 'compaction') {
    return [{ kind: 'compacted', at, text: parts.flatMap(({ part }) => said(part) ?? []).join('\n\n') }]
  }
  const until = isoTime(time?.completed)
  const events = parts.flatMap(({ part }): SessionEvent[] => {
    const text = said(part)
    if (text !== undefined) return [{ kind: 'assistant', at: isoTime(asObject(part.time)?.start) ?? at, until, text }]
    if (part.type !== 'tool') return []
    const state = asObject(part.state)
    const refused = state?.status === 'error' && state.refused === true
    return [
      {
        kind: 'tool',
        name: asWords(part.tool) ?? 'unknown',
        ok: outcome(part),
        refused,
        detail: asText(state?.detail),
      },
    ]
  })
  return asObject(info.error)?.name === 'MessageAbortedError' ? [...events, { kind: 'aborted' }] : events
}

function userSaid(parts: readonly JsonObject[], at: string): SessionEvent[] {
  const text = parts.flatMap((part) => said(part) ?? []).join('\n\n')
  const files = parts.filter((part) => part.type === 'file')
  return [
    {
      kind: 'user',
      at,
      text: unquoted(text),
      files: files.flatMap((file) => asWords(file.filename) ?? []),
      images: files.filter((file) => asText(file.mime)?.startsWith('image/')).length,
    },
  ]
}

/** Text by a person or the model; undefined for synthetic parts, which are file contents and client notes. */
function said(part: JsonObject): string | undefined {
  return part.type === 'text' && part.synthetic !== true && part.ignored !== true ? asWords(part.text) : undefined
}

/** Removes the double quotes in which `opencode run "a b"` stores its prompt, with inner quotes escaped. */
function unquoted(text: string): string {
  const [, inner] = /^\s*"((?:[^"\\]|\\[^])*)"\s*$/.exec(text) ?? []
  return inner === undefined ? text : inner.replaceAll('\\"', '"')
}

function outcome(part: JsonObject): boolean | null {
  const state = asObject(part.state)
  // A failed command is still a completed call.
  if (state?.status === 'completed') return (asObject(state.metadata)?.exit ?? 0) === 0
  return state?.status === 'error' ? false : null
}
