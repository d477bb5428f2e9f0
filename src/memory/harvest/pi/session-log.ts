import { win32 } from 'node:path'
import { asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { withoutTagged } from '../../domain/session/injected.ts'
import { isoTime } from '../../domain/session/session.ts'
import { type LinesRead, readJsonLines } from '../jsonl-lines.ts'
import type { Linked } from '../live-path.ts'
import { ToolUses } from '../tool-uses.ts'

export interface SessionLog {
  readonly id: string | undefined
  readonly cwd: string | undefined
  /** Creation time of the session or fork. */
  readonly startedAt: string
  /** The name of the file that this session was forked from. */
  readonly parentFile: string | undefined
  readonly name: string | undefined
  readonly entries: readonly Entry[]
  readonly lines: LinesRead
}

export interface Entry extends Linked {
  readonly at: string
  readonly said: readonly SessionEvent[]
}

export async function readSessionLog(path: string): Promise<SessionLog> {
  let header: JsonObject = {}
  let name: string | undefined
  let at = '1970-01-01T00:00:00.000Z'
  const entries: Entry[] = []
  const uses = new ToolUses()
  const lines = await readJsonLines(path, (record) => {
    at = isoTime(record.timestamp) ?? at
    if (record.type === 'session') {
      header = record
      return
    }
    if (record.type === 'session_info') name = asText(record.name) ?? name
    const parent = record.parentId === null ? null : asText(record.parentId)
    entries.push({ id: asText(record.id), parent, at, said: saidIn(record, at, uses) })
  })
  return {
    id: asWords(header.id),
    cwd: asWords(header.cwd),
    startedAt: isoTime(header.timestamp) ?? '',
    // Splits at both kinds of slashes: the log may come from another system.
    parentFile: asWords(win32.basename(asText(header.parentSession) ?? '')),
    name,
    entries,
    lines,
  }
}

function saidIn(record: JsonObject, at: string, uses: ToolUses): readonly SessionEvent[] {
  if (record.type === 'compaction' || record.type === 'branch_summary')
    return [{ kind: 'compacted', at, text: asText(record.summary) ?? '' }]
  const message = record.type === 'message' ? asObject(record.message) : undefined
  if (message?.role === 'user') return [userSaid(message, at)]
  if (message?.role === 'assistant') return assistantSaid(message, at, uses)
  if (message?.role === 'toolResult') uses.settle(asText(message.toolCallId), message.isError !== true)
  if (message?.role !== 'bashExecution') return []
  // A command that the user ran with `!`.
  return [{ kind: 'tool', name: 'bash', ok: message.exitCode === 0, detail: callDetail({ command: message.command }) }]
}

function userSaid(message: JsonObject, at: string): SessionEvent {
  const blocks = blocksOf(message.content)
  const texts = blocks.flatMap((block) => (block.type === 'text' ? (asText(block.text) ?? []) : []))
  const { text, files } = withoutFiles(texts.join('\n\n'))
  const images = blocks.filter((block) => block.type === 'image').length
  // Removes the expansion of `/skill:name`, which precedes the typed text.
  return { kind: 'user', at, text: SKILL.test(text) ? withoutTagged(text, 'skill') : text, images, files }
}

const SKILL = /^<skill name="[^"]*" location="/

function assistantSaid(message: JsonObject, at: string, uses: ToolUses): SessionEvent[] {
  const events = blocksOf(message.content).flatMap((block): SessionEvent[] => {
    if (block.type === 'text') return [{ kind: 'assistant', at, text: asText(block.text) ?? '' }]
    return block.type === 'toolCall' ? [uses.use(asText(block.id), asWords(block.name), block.arguments)] : []
  })
  return message.stopReason === 'aborted' ? [...events, { kind: 'aborted' }] : events
}

function blocksOf(content: unknown): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content)
}

/** Removes the files that `pi @notes.md "…"` puts before the prompt. */
function withoutFiles(text: string): { readonly text: string; readonly files: readonly string[] } {
  const files: string[] = []
  let rest = text
  for (;;) {
    const [, name] = /^<file name="([^"\n]*)">/.exec(rest) ?? []
    const end = name === undefined ? -1 : rest.indexOf('</file>\n')
    if (name === undefined || end === -1) return { text: rest, files }
    files.push(name)
    rest = rest.slice(end + '</file>\n'.length)
  }
}
