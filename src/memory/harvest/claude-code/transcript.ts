import { asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { PLAN_HEADING } from '../../domain/session/candidates.ts'
import { withoutTagged } from '../../domain/session/injected.ts'
import { isRefusal } from '../../domain/session/refused-call.ts'
import { isoTime } from '../../domain/session/session.ts'
import { type LinesRead, readJsonLines } from '../jsonl-lines.ts'

/** A tool call; its outcome is in a later record. */
export interface ToolUse {
  readonly kind: 'use'
  readonly id: string
  readonly name: string
  readonly detail: string | undefined
}

type Outcome = { readonly ok: boolean; readonly refused?: true }

/** One record of the conversation tree. */
export interface Entry {
  readonly uuid: string
  readonly parent: string | undefined
  /** True if the conversation continues here after a compaction, even without a link to the past. */
  readonly continues: boolean
  /** Id of an assistant message, which is written as one record per block. */
  readonly message: string | undefined
  readonly at: string
  readonly said: readonly (SessionEvent | ToolUse)[]
}

export interface Transcript {
  readonly entries: readonly Entry[]
  /** Outcome of each tool call, by call id. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly facts: Facts
  readonly lines: LinesRead
}

/** Identity and place come from the first record, titles from the last one. */
export interface Facts {
  readonly sessionId?: string | undefined
  readonly cwd?: string | undefined
  readonly gitBranch?: string | undefined
  readonly version?: string | undefined
  readonly customTitle?: string | undefined
  readonly aiTitle?: string | undefined
  readonly summary?: string | undefined
}

// Copies of whole requests; they add nothing to the conversation records, and are most of the bytes.
const REQUEST_COPY = /^\{"type": ?"api-request/
const TITLE_RECORDS = { 'custom-title': 'customTitle', 'ai-title': 'aiTitle', summary: 'summary' } as const
const BEFORE_ANY_RECORD = '1970-01-01T00:00:00.000Z'

/**
 * Reads one transcript. Inline side chains are other conversations and skipped, unless the whole file is one
 * (`sidechain`).
 */
export async function readTranscript(path: string, options: { readonly sidechain: boolean }): Promise<Transcript> {
  const entries: Entry[] = []
  const known = new Set<string>()
  const outcomes = new Map<string, Outcome>()
  const facts: { -readonly [Name in keyof Facts]?: Facts[Name] } = {}

  const lines = await readJsonLines(
    path,
    (record) => {
      for (const name of ['sessionId', 'cwd', 'gitBranch', 'version'] as const) facts[name] ??= asWords(record[name])
      const title = TITLE_RECORDS[record.type as keyof typeof TITLE_RECORDS]
      if (title !== undefined) facts[title] = asWords(record[title]) ?? facts[title]
      const uuid = uuidOf(record, options)
      if (uuid === undefined || known.has(uuid)) return
      known.add(uuid)
      for (const block of resultBlocks(record)) outcomes.set(asText(block.tool_use_id) ?? '', outcomeOf(block))
      entries.push(entryOf(uuid, record, entries.at(-1)?.at ?? BEFORE_ANY_RECORD))
    },
    (prefix) => REQUEST_COPY.test(prefix),
  )
  return { entries, outcomes, facts, lines }
}

function outcomeOf(block: JsonObject): Outcome {
  if (block.is_error !== true) return { ok: true }
  const [part] = asObjects(block.content)
  const result = asText(block.content) ?? asText(part?.text) ?? ''
  return isRefusal(result) ? { ok: false, refused: true } : { ok: false }
}

/** First record of the conversation; does not read the rest. */
export async function readFirstEntry(
  path: string,
  options: { readonly sidechain: boolean },
): Promise<Pick<Entry, 'uuid' | 'at'> | undefined> {
  let first: Pick<Entry, 'uuid' | 'at'> | undefined
  await readJsonLines(path, (record) => {
    const uuid = uuidOf(record, options)
    if (uuid === undefined) return false
    first = { uuid, at: isoTime(record.timestamp) ?? BEFORE_ANY_RECORD }
    return true
  })
  return first
}

function uuidOf(record: JsonObject, options: { readonly sidechain: boolean }): string | undefined {
  return record.isSidechain === true && !options.sidechain ? undefined : asText(record.uuid)
}

function entryOf(uuid: string, record: JsonObject, previousAt: string): Entry {
  const at = isoTime(record.timestamp) ?? previousAt
  return {
    uuid,
    parent: asText(record.parentUuid) ?? asText(record.logicalParentUuid),
    continues: record.subtype === 'compact_boundary' || record.isCompactSummary === true,
    message: record.type === 'assistant' ? asText(asObject(record.message)?.id) : undefined,
    at,
    said: saidIn(record, at),
  }
}

function saidIn(record: JsonObject, at: string): readonly (SessionEvent | ToolUse)[] {
  if (record.type === 'assistant') return assistantSaid(record, at)
  if (record.isMeta === true) return []
  if (record.type === 'attachment') return queuedPrompt(record, at)
  if (record.type !== 'user' || resultBlocks(record).length > 0) return []
  const blocks = blocksOf(asObject(record.message)?.content)
  if (record.isCompactSummary === true) return [{ kind: 'compacted', at, text: textsOf(blocks).join('\n\n') }]
  return isHuman(record) ? humanSaid(blocks, { at, queued: false }) : []
}

function assistantSaid(record: JsonObject, at: string): readonly (SessionEvent | ToolUse)[] {
  const message = asObject(record.message)
  if (record.isApiErrorMessage === true || message?.model === '<synthetic>') return []
  return blocksOf(message?.content).flatMap((block): readonly (SessionEvent | ToolUse)[] => {
    if (block.type === 'text') return [{ kind: 'assistant', at, text: asText(block.text) ?? '' }]
    if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return []
    const name = asWords(block.name) ?? 'unknown'
    const use = { kind: 'use' as const, id: asText(block.id) ?? '', name, detail: callDetail(block.input) }
    // The user reads and approves the plan, so it is agent text like any other.
    const plan = name === 'ExitPlanMode' ? asText(asObject(block.input)?.plan)?.trim() : undefined
    return plan ? [{ kind: 'assistant', at, text: `${PLAN_HEADING}\n${plan}` }, use] : [use]
  })
}

/** Prompt typed while the agent worked, which is stored as an attachment, not as a user record. */
function queuedPrompt(record: JsonObject, at: string): readonly SessionEvent[] {
  const attachment = asObject(record.attachment)
  if (attachment?.type !== 'queued_command' || attachment.isMeta === true || !isHuman(attachment)) return []
  if (attachment.commandMode !== undefined && attachment.commandMode !== 'prompt') return []
  return humanSaid(blocksOf(attachment.prompt), { at, queued: true })
}

function humanSaid(blocks: readonly JsonObject[], when: { at: string; queued: boolean }): readonly SessionEvent[] {
  const words = textsOf(blocks).map(humanText)
  if (words.includes(undefined) && words.every((each) => each === undefined || each === '')) return []
  const text = words.filter((each) => each !== undefined && each !== '').join('\n\n')
  return [{ kind: 'user', ...when, text, images: blocks.filter((block) => block.type === 'image').length }]
}

function isHuman(record: JsonObject): boolean {
  const origin = asObject(record.origin)
  return origin === undefined || origin.kind === 'human'
}

function resultBlocks(record: JsonObject): readonly JsonObject[] {
  return record.type === 'user'
    ? blocksOf(asObject(record.message)?.content).filter((block) => block.type === 'tool_result')
    : []
}

function blocksOf(content: unknown): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content)
}

function textsOf(blocks: readonly JsonObject[]): string[] {
  return blocks.flatMap((block) => (block.type === 'text' ? (asText(block.text) ?? []) : []))
}

// Tags that Claude Code, its hooks and its editor extensions add to a person's words.
const INJECTED_TAGS = [
  'system-reminder',
  'user-prompt-submit-hook',
  'session-start-hook',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
]

// Client actions recorded as user messages.
const NOISE_TAG =
  /^<(?:local-command-(?:caveat|stdout|stderr)|command-(?:name|message|args|contents)|bash-(?:input|stdout|stderr)|task-notification)\b/
const NOISE_TEXT = /^(?:\[Request interrupted by user|Caveat: The messages below were generated)/

/** The person's own words in a text block; undefined if the client wrote the block. */
function humanText(text: string): string | undefined {
  const words = INJECTED_TAGS.reduce((rest, tag) => withoutTagged(rest, tag), text).trim()
  return NOISE_TAG.test(words) || NOISE_TEXT.test(words) ? undefined : words
}
