import { asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { exitCodeOf } from '../../domain/session/exit-code.ts'
import { isoTime } from '../../domain/session/session.ts'
import { type LinesRead, readJsonLines } from '../jsonl-lines.ts'
import type { Linked } from '../live-path.ts'
import { withoutReferencedFiles } from '../referenced-files.ts'
import { ToolUses } from '../tool-uses.ts'

export interface Chat {
  readonly entries: readonly Entry[]
  readonly facts: Facts
  /** The session that was copied to begin this one. */
  readonly forkedFrom: string | undefined
  readonly lines: LinesRead
}

export interface Entry extends Linked {
  /** Copied from the session that this one was forked from. */
  readonly isCopy: boolean
  readonly said: readonly SessionEvent[]
}

/** Places come from the first record, the title from the last one. */
interface Facts {
  readonly cwd?: string | undefined
  readonly gitBranch?: string | undefined
  readonly version?: string | undefined
  readonly title?: string | undefined
  readonly isAutoTitle?: boolean
}

export async function readChat(path: string): Promise<Chat> {
  const entries: Entry[] = []
  const uses = new ToolUses()
  const facts: { -readonly [Name in keyof Facts]: Facts[Name] } = {}
  let forkedFrom: string | undefined
  let at = '1970-01-01T00:00:00.000Z'
  const lines = await readJsonLines(path, (record) => {
    for (const name of ['cwd', 'gitBranch', 'version'] as const) facts[name] ??= asWords(record[name])
    at = isoTime(record.timestamp) ?? at
    const origin = asWords(asObject(record.forkedFrom)?.sessionId)
    forkedFrom ??= origin
    const payload = asObject(record.systemPayload)
    if (record.subtype === 'custom_title') {
      facts.title = asWords(payload?.customTitle) ?? facts.title
      facts.isAutoTitle = payload?.titleSource === 'auto'
    }
    const parent = record.parentUuid === null ? null : asText(record.parentUuid)
    entries.push({
      id: asText(record.uuid),
      parent,
      isCopy: origin !== undefined,
      said: saidIn(record, at, uses),
    })
  })
  return { entries, facts, forkedFrom, lines }
}

function saidIn(record: JsonObject, at: string, uses: ToolUses): readonly SessionEvent[] {
  const parts = partsOf(record.message)
  if (record.type === 'tool_result') return settleCalls(record, parts, uses)
  if (record.type === 'assistant') return assistantSaid(parts, at, uses)
  if (record.subtype === 'chat_compression') return compaction(record, at)
  // Timer prompts and background agent notices are recorded as the user's.
  if (record.type !== 'user' || record.subtype !== undefined) return []
  return [{ kind: 'user', at, text: withoutReferencedFiles(textOf(parts)), images: parts.filter(isImage).length }]
}

function assistantSaid(parts: readonly JsonObject[], at: string, uses: ToolUses): SessionEvent[] {
  const text = textOf(parts.filter((part) => part.thought !== true))
  const calls = parts.flatMap((part): SessionEvent[] => {
    const call = asObject(part.functionCall)
    return call ? [uses.use(asText(call.id), asWords(call.name), call.args)] : []
  })
  return [{ kind: 'assistant', at, text }, ...calls]
}

/** A failed command is still a successful call; its exit code is below the output. */
function settleCalls(record: JsonObject, parts: readonly JsonObject[], uses: ToolUses): readonly [] {
  const status = asObject(record.toolCallResult)?.status
  for (const part of parts) {
    const answer = asObject(part.functionResponse)
    const response = asObject(answer?.response)
    if (answer === undefined) continue
    const code = SHELL.test(asText(answer.name) ?? '') ? exitCodeOf(asText(response?.output) ?? '') : undefined
    const isError = status === 'error' || status === 'cancelled' || response?.error !== undefined
    uses.settle(asText(answer.id), !isError && (code ?? 0) === 0, asText(response?.error) ?? '')
  }
  return []
}

const SHELL = /shell/
const SNAPSHOT = /<state_snapshot>[\s\S]*?<\/state_snapshot>/

/** Summary from the history sent after a compaction, in which the summary comes first, then the parts kept verbatim. */
function compaction(record: JsonObject, at: string): readonly SessionEvent[] {
  const history = asObjects(asObject(record.systemPayload)?.compressedHistory)
  const texts = history.map((content) => textOf(partsOf(content)))
  const text = texts.map((each) => SNAPSHOT.exec(each)?.[0]).find((each) => each !== undefined)
  return text === undefined ? [] : [{ kind: 'compacted', at, text }]
}

const partsOf = (content: unknown): readonly JsonObject[] => asObjects(asObject(content)?.parts)

/** Joins the parts of a text, which the client splits arbitrarily, without a break between them. */
const textOf = (parts: readonly JsonObject[]): string => parts.map((part) => asText(part.text) ?? '').join('')

function isImage(part: JsonObject): boolean {
  const data = asObject(part.inlineData) ?? asObject(part.fileData)
  return asText(data?.mimeType)?.startsWith('image/') === true
}
