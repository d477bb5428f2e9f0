import { asList, asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { isoTime } from '../../domain/session/session.ts'

const CANCELLED = 2
const DENIED = 0
/** Time for a chat without any recorded time. */
const NO_TIME = '1970-01-01T00:00:00.000Z'

/** Events of one request and its answer; if a chat has no times, only its creation time is known. */
export function requestEvents(request: JsonObject, created: unknown): SessionEvent[] {
  const at = isoTime(request.timestamp) ?? isoTime(created) ?? NO_TIME
  const state = asObject(request.modelState)
  const until = isoTime(state?.completedAt)
  const variables = asObjects(asObject(request.variableData)?.variables)
  const images = variables.filter(({ kind, isImage }) => kind === 'image' || isImage === true).length
  const asked: SessionEvent = { kind: 'user', text: questionOf(request), at, ...(images > 0 ? { images } : {}) }
  const isCancelled = request.isCanceled === true || state?.value === CANCELLED
  return [asked, ...answerEvents(asList(request.response), { at, until }), ...(isCancelled ? [ABORTED] : [])]
}

const ABORTED: SessionEvent = { kind: 'aborted' }

const questionOf = ({ message }: JsonObject): string => asText(message) ?? asText(asObject(message)?.text) ?? ''

/** Events of an answer. Its text comes in pieces, separated by the files and symbols that it names. */
function answerEvents(parts: readonly unknown[], time: { at: string; until: string | undefined }): SessionEvent[] {
  const events: SessionEvent[] = []
  let pieces: string[] = []
  const flush = (): void => {
    const text = withoutEmptyBlocks(pieces.join(''))
    if (text.trim() !== '') events.push({ kind: 'assistant', text, ...time })
    pieces = []
  }
  for (const each of parts) {
    const part = asObject(each)
    const piece = part === undefined ? asText(each) : pieceOf(part)
    if (piece !== undefined) pieces.push(piece)
    if (part?.kind !== 'toolInvocationSerialized') continue
    flush()
    events.push(toolEvent(part))
  }
  flush()
  return events
}

function pieceOf(part: JsonObject): string | undefined {
  if (part.kind === undefined) return asText(part.value)
  if (part.kind === 'markdownContent' || part.kind === 'markdownVuln')
    return asText(part.content) ?? asText(asObject(part.content)?.value)
  if (part.kind !== 'inlineReference') return undefined
  const reference = asObject(part.inlineReference)
  const path = asText(reference?.path) ?? asText(asObject(reference?.uri)?.path)
  const name = asWords(part.name) ?? asWords(reference?.name) ?? path?.replace(/^.*\//, '')
  return name === undefined ? undefined : `\`${name}\``
}

/** Removes the fences around an edited file: the edit itself is another part. */
function withoutEmptyBlocks(text: string): string {
  return text.replace(/^(`{3,})[^\n`]*\n\s*\1[ \t]*$\n?/gm, '')
}

function toolEvent(part: JsonObject): SessionEvent {
  const data = asObject(part.toolSpecificData)
  const line = asObject(data?.commandLine)
  const details = asObject(part.resultDetails)
  const command =
    asWords(line?.userEdited) ?? asWords(line?.toolEdited) ?? asWords(line?.original) ?? asWords(data?.command)
  const detail =
    command === undefined ? (callDetail(data?.rawInput) ?? callDetail(inputOf(details))) : callDetail({ command })
  return { kind: 'tool', name: asWords(part.toolId) ?? 'unknown', ok: outcomeOf(part, data, details), detail }
}

/** Parses a tool's input if it is JSON; the input may be any text. */
const inputOf = (details: JsonObject | undefined): unknown => {
  const input = asText(details?.input)
  return input?.trimStart().startsWith('{') === true ? input : undefined
}

function outcomeOf(part: JsonObject, data: JsonObject | undefined, details: JsonObject | undefined): boolean | null {
  const exit = asObject(data?.terminalCommandState)?.exitCode
  if (part.isConfirmed === false || asObject(part.isConfirmed)?.type === DENIED) return false
  if (details?.isError === true || (typeof exit === 'number' && exit !== 0)) return false
  return part.isComplete === true ? true : null
}
