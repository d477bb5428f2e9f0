import { asList, asObject, asObjects, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import type { SessionEvent } from '../../domain/session/assemble.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { isRefusal } from '../../domain/session/refused-call.ts'
import { isoTime } from '../../domain/session/session.ts'
import { type LinesRead, readJsonLines } from '../jsonl-lines.ts'
import { isSuccess, itemOutcome, outputText } from './tool-outcome.ts'

export interface Rollout {
  /** Metadata of the thread, from the first line; copies of its parent's metadata may follow. */
  readonly meta: JsonObject
  /** Working directory from the first turn that names one. */
  readonly cwd: string | undefined
  readonly events: readonly SessionEvent[]
  readonly lines: LinesRead
}

/**
 * Format of a message. Every message is written up to three times; in each era of the client one format has people's
 * words without context.
 */
type Telling = 'items' | 'events' | 'raw'
type Message = SessionEvent & { readonly kind: 'user' | 'assistant' }
type Step =
  | { readonly kind: 'message'; readonly telling: Telling; readonly message: Message }
  | { readonly kind: 'use'; readonly id: string; readonly name: string; readonly detail: string | undefined }
  | Exclude<SessionEvent, Message>

export async function readRollout(path: string): Promise<Rollout> {
  const reader = new RolloutReader()
  const lines = await readJsonLines(path, (record) => reader.take(record))
  return { meta: reader.meta ?? {}, cwd: reader.cwd, events: reader.events(), lines }
}

class RolloutReader {
  meta: JsonObject | undefined
  cwd: string | undefined
  readonly #steps: Step[] = []
  readonly #uses = new Set<string>()
  readonly #outcomes = new Map<string, boolean>()
  readonly #refused = new Set<string>()
  #at = '1970-01-01T00:00:00.000Z'

  take(record: JsonObject): void {
    this.#at = isoTime(record.timestamp) ?? this.#at
    const payload = asObject(record.payload)
    if (payload === undefined) this.#takeBare(record)
    else if (record.type === 'session_meta') this.meta ??= payload
    else if (record.type === 'turn_context') this.cwd ??= asWords(payload.cwd)
    else if (record.type === 'response_item') this.#takeResponseItem(payload)
    else if (record.type === 'event_msg') this.#takeEvent(payload)
    else if (record.type === 'compacted') this.#takeCompaction(asText(payload.message) ?? '')
  }

  events(): SessionEvent[] {
    const telling = this.#telling()
    return this.#steps.flatMap((step): readonly SessionEvent[] => {
      if (step.kind === 'message') return step.telling === telling ? [step.message] : []
      if (step.kind !== 'use') return [step]
      const refused = this.#refused.has(step.id)
      const ok = refused ? false : (this.#outcomes.get(step.id) ?? null)
      return [{ kind: 'tool', name: step.name, ok, refused, detail: step.detail }]
    })
  }

  #telling(): Telling {
    const has = (telling: Telling): boolean =>
      this.#steps.some((step) => step.kind === 'message' && step.telling === telling)
    const preferred: readonly Telling[] =
      this.meta?.history_mode === 'paginated' ? ['items', 'events'] : ['events', 'items']
    return preferred.find(has) ?? 'raw'
  }

  /** Handles logs before version 0.3: the lines are the items themselves, after one line that names the session. */
  #takeBare(record: JsonObject): void {
    if (record.type === undefined && asText(record.id) !== undefined) this.meta ??= record
    else this.#takeResponseItem(record)
  }

  #takeResponseItem(item: JsonObject): void {
    const type = asText(item.type) ?? ''
    if (type === 'message') this.#takeRawMessage(item)
    else if (type.endsWith('_call_output')) {
      this.#setOutcome(asText(item.call_id), isSuccess(item.output))
      if (isRefusal(outputText(item.output))) this.#refused.add(asText(item.call_id) ?? '')
    } else if (type.endsWith('_call'))
      this.#use(asText(item.call_id) ?? asText(item.id), {
        name: callName(item, type.slice(0, -'_call'.length)),
        detail: callDetail(item.arguments ?? item.input ?? { action: item.action }),
      })
  }

  #takeRawMessage(item: JsonObject): void {
    const content = asObjects(item.content)
    const texts = content.filter((_, i) => !isFromHarness(item, i)).flatMap((part) => asWords(part.text) ?? [])
    if (item.role === 'assistant') this.#say('raw', { kind: 'assistant', at: this.#at, text: texts.join('\n\n') })
    if (item.role !== 'user') return
    const words = texts.filter((text) => !isNoise(text))
    if (words.length === 0 && texts.length > 0) return
    const images = content.filter((part) => part.type === 'input_image').length
    this.#say('raw', { kind: 'user', at: this.#at, text: requestIn(words.join('\n\n')), images })
  }

  #takeEvent(event: JsonObject): void {
    const at = this.#at
    switch (event.type) {
      case 'user_message': {
        const images = asList(event.images).length + asList(event.local_images).length
        return this.#say('events', { kind: 'user', at, text: requestIn(asText(event.message) ?? ''), images })
      }
      case 'agent_message':
        return this.#say('events', { kind: 'assistant', at, text: asText(event.message) ?? '' })
      case 'item_completed':
        return this.#takeItem(asObject(event.item) ?? {})
      case 'turn_aborted':
        return void this.#steps.push({ kind: 'aborted' })
      case 'thread_rolled_back':
        return void this.#steps.push({ kind: 'rolled-back', turns: Number(event.num_turns) || 0 })
      case 'exec_command_end':
        return this.#setOutcome(asText(event.call_id), (event.exit_code ?? 0) === 0)
      case 'patch_apply_end':
        return this.#setOutcome(asText(event.call_id), event.success !== false)
      case 'mcp_tool_call_end':
        return this.#setOutcome(asText(event.call_id), asObject(event.result)?.Err === undefined)
    }
  }

  #takeItem(item: JsonObject): void {
    const content = asObjects(item.content)
    const text = content.flatMap((part) => asWords(part.text) ?? []).join('\n\n')
    if (item.type === 'UserMessage') {
      const images = content.filter((part) => part.type === 'image' || part.type === 'local_image').length
      return this.#say('items', { kind: 'user', at: this.#at, text: requestIn(text), images })
    }
    if (item.type === 'AgentMessage') return this.#say('items', { kind: 'assistant', at: this.#at, text })
    const name = itemName(item)
    if (name === undefined) return
    this.#use(asText(item.id), { name, detail: callDetail(item.arguments ?? item) })
    this.#setOutcome(asText(item.id), itemOutcome(item))
  }

  /** The model's reply that became the summary is just before it, as if addressed to the user. */
  #takeCompaction(text: string): void {
    const last = this.#steps.at(-1)
    if (
      last?.kind === 'message' &&
      last.telling === 'raw' &&
      last.message.kind === 'assistant' &&
      text.includes(last.message.text)
    )
      this.#steps.pop()
    this.#steps.push({ kind: 'compacted', at: this.#at, text })
  }

  #say(telling: Telling, message: Message): void {
    this.#steps.push({ kind: 'message', telling, message })
  }

  /**
   * Records a call, which is logged as a request and as a finished item under one id. It counts once, under the model's
   * name for it.
   */
  #use(id: string | undefined, call: { readonly name: string; readonly detail: string | undefined }): void {
    if (id !== undefined && this.#uses.has(id)) return
    if (id !== undefined) this.#uses.add(id)
    this.#steps.push({ kind: 'use', id: id ?? '', ...call })
  }

  #setOutcome(id: string | undefined, ok: boolean | undefined): void {
    if (id !== undefined && ok !== undefined) this.#outcomes.set(id, ok && this.#outcomes.get(id) !== false)
  }
}

function callName(item: JsonObject, kind: string): string {
  const name = asWords(item.name) ?? kind
  const namespace = asWords(item.namespace)
  return namespace === undefined ? name : `${namespace}__${name}`
}

/** Name of a tool call; undefined for other items. */
function itemName(item: JsonObject): string | undefined {
  switch (item.type) {
    case 'CommandExecution':
      return 'exec_command'
    case 'FileChange':
      return 'apply_patch'
    case 'WebSearch':
      return 'web_search'
    case 'McpToolCall':
      return `mcp__${asText(item.server) ?? 'unknown'}__${asText(item.tool) ?? 'unknown'}`
    case 'CollabAgentToolCall':
      return asWords(item.tool) ?? 'agent'
    default:
      return undefined
  }
}

function isFromHarness(item: JsonObject, index: number): boolean {
  const metadata = asObject(
    asList(asObject(item.internal_chat_message_metadata_passthrough)?.content_item_metadata)[index],
  )
  return asObject(metadata?.provenance)?.type === 'harness'
}

// Context that Codex sends as the user, each as a separate content item.
const NOISE_TAGS = [
  'environment_context',
  'user_instructions',
  'turn_aborted',
  'skill',
  'subagent_notification',
  'user_shell_command',
  'codex_internal_context',
  'goal_context',
  'hook_prompt',
]
const NOISE = new RegExp(`^\\s*(?:# AGENTS\\.md instructions|<(?:${NOISE_TAGS.join('|')})\\b)`)

// The editor extensions put open files and selections before the request, which follows the last of these headings.
const EDITOR_PREAMBLE = /^\s*# (?:Context from my IDE setup|Files mentioned by the user)\b/
const REQUEST_HEADING = /^## My request(?: for Codex)?:[ \t]*$/gm

function isNoise(text: string): boolean {
  return NOISE.test(text)
}

/** The person's own words in a prompt. */
function requestIn(text: string): string {
  if (!EDITOR_PREAMBLE.test(text)) return text
  const heading = [...text.matchAll(REQUEST_HEADING)].at(-1)
  return heading === undefined ? text : text.slice(heading.index + heading[0].length)
}
