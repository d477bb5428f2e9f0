import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionMemory, SessionTrace } from '../../memory/ports/session-memory.ts'
import type { Store } from '../../record/ports/store.ts'
import type { HookEvent } from '../../setup/domain/client.ts'
import type { HookAnswer } from '../../setup/operations/hook-context.ts'

export interface HookParts {
  readonly store: Store
  readonly memory: SessionMemory
  /** Messages from Ken about a merge of the record. */
  readonly settled?: readonly string[]
  readonly now: Date
  /** Undefined if agents are not asked about unrecorded decisions. */
  readonly capture?: CaptureParts
}

export interface CaptureParts {
  /** Drafts that a person accepted or dismissed, so that the question is not repeated. */
  settled(): Promise<readonly string[]>
}

/** A message from Ken at the start of a session, if there is no record to read. */
export interface HookNotice {
  readonly notice: string
  /** True if there is no record, as opposed to one that cannot be reached. */
  readonly isAbsent?: boolean
}

type Input = AsyncIterable<string | Uint8Array>
/**
 * Receives the agent's working directory if known; undefined if there is nothing to print. Calls `found` as soon as a
 * record is known to exist.
 */
type OpenParts = (cwd: string | undefined, found: () => void) => Promise<HookParts | HookNotice | undefined>

// Seconds that a client waits if it was set up before the command contained that number.
const LEAST_PATIENCE = 5
// Share of the client's patience to use. On a machine with ten processes per core, printing the available text took a
// third of it.
const SHARE = 0.6
// Milliseconds to wait for missing input.
const GRACE = 1_000
const MOST_INPUT = 4 * 1024 * 1024

/** The clients' names of the events, if the input does not contain them. */
const EVENT_NAMES: Readonly<Record<HookEvent, string>> = {
  'session-start': 'SessionStart',
  prompt: 'UserPromptSubmit',
  compaction: 'PreCompact',
  stop: 'Stop',
}

/** Results known at the deadline. */
interface AtHand {
  isRecord: boolean
  /** Resolves when the input and the folder were read: without them there is nothing to print. */
  readonly begun: PromiseWithResolvers<void>
  answer?: () => Promise<string>
  late?: () => Promise<string>
}

/**
 * `ken hook <event> --client <client>`: the text for standard output, empty if there is nothing to print. Never throws:
 * the agent must not notice a failure. `elapsed`: milliseconds that the client has already waited. Shortly before the
 * client's timeout it returns the results so far, or a line that there are none: an agent would take silence for a
 * record without decisions.
 */
export async function runHook(argv: readonly string[], stdin: Input, open: OpenParts, elapsed = 0): Promise<string> {
  const atHand: AtHand = { isRecord: false, begun: Promise.withResolvers<void>() }
  const stopped = new AbortController()
  const timeUp = sleep(Math.max(0, patienceOf(argv) * 1000 * SHARE - elapsed), undefined, { signal: stopped.signal })
  try {
    return await Promise.race([answer(argv, stdin, open, atHand), timeUp.then(() => whenBegun(atHand))])
  } catch {
    return await degraded(atHand).catch(() => '')
  } finally {
    stopped.abort()
    timeUp.catch(() => undefined)
  }
}

/** Seconds that the client waits. */
function patienceOf(argv: readonly string[]): number {
  const given = Number(valueOf(argv, '--patience'))
  return given > 0 && given <= 60 ? given : LEAST_PATIENCE
}

const valueOf = (argv: readonly string[], flag: string): string | undefined =>
  argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined

/** Waits briefly for the input: starting the process may have used up all the time. */
async function whenBegun(atHand: AtHand): Promise<string> {
  await Promise.race([atHand.begun.promise, sleep(GRACE, undefined, { ref: false })])
  return degraded(atHand)
}

async function degraded({ isRecord, answer, late }: AtHand): Promise<string> {
  return (await (answer ?? (isRecord ? late : undefined))?.()) ?? ''
}

async function answer(argv: readonly string[], stdin: Input, open: OpenParts, atHand: AtHand): Promise<string> {
  const event = argv[0] as HookEvent
  const client = valueOf(argv, '--client') ?? ''
  if (!Object.hasOwn(EVENT_NAMES, event)) return ''
  const input = await readInput(stdin)
  const shape = { client, input, eventName: first(input, 'hook_event_name', 'hookEventName') ?? EVENT_NAMES[event] }
  atHand.late = async () => {
    const [{ hookOutput, noticeContext }, { lateNotice }] = await Promise.all([
      import('../../setup/domain/hook-output.ts'),
      import('../../kernel/domain/project/disconnected.ts'),
    ])
    return isSilent(event) ? '' : hookOutput(noticeContext(lateNotice(event), 'late', event), shape)
  }
  const opening = open(first(input, 'cwd') ?? firstRoot(input.workspace_roots), () => (atHand.isRecord = true))
  atHand.begun.resolve()
  const parts = await opening
  if (parts === undefined || ('notice' in parts && event !== 'session-start')) return ''
  // Loaded only after a project is found: most sessions have none.
  const [{ hookContext }, { hookOutput, isCompaction, noticeContext, startsUnheard, stopOutput }, { redactedStore }] =
    await Promise.all([
      import('../../setup/operations/hook-context.ts'),
      import('../../setup/domain/hook-output.ts'),
      import('../../operations/redacted-store.ts'),
    ])
  if ('notice' in parts)
    return hookOutput(noticeContext(parts.notice, parts.isAbsent === true ? 'absent' : 'disconnected'), shape)
  if (event === 'compaction' && !isCompaction(client, input)) return ''
  const settled = (parts.settled ?? []).map((line) => noticeContext(line, 'merged'))
  const session = first(input, 'session_id', 'sessionId', 'conversation_id')
  const known = session === undefined ? { shown: [], openedAt: undefined } : await parts.memory.recall(session)
  const isFirst = session !== undefined && known.openedAt === undefined
  const due = isFirst && startsUnheard(client) ? { ...known, isPageDue: true } : known
  const source = first(input, 'source')
  const store = redactedStore(parts.store)
  const conversation = await followConversation({ event, client, input, source, trace: due, parts, store })
  const trace = conversation.trace
  // If the trace cannot be written, the answer is repeated later, not lost.
  const remember = async (next: SessionTrace): Promise<void> => {
    if (session !== undefined) await parts.memory.remember(session, next).catch(() => undefined)
  }
  if (event === 'stop') {
    await remember(trace)
    return conversation.question === undefined ? '' : stopOutput(conversation.question, client)
  }
  const give = async (given: HookAnswer | undefined): Promise<string> => {
    const { messages, isAsked } = trace
    const next = { ...(given?.trace ?? trace), ...(messages && { messages }), ...(isAsked && { isAsked }) }
    if (given !== undefined || trace !== due) await remember(next)
    const texts = [...settled, given?.text ?? '', conversation.question ?? ''].filter((text) => text !== '')
    return texts.length === 0 || event === 'compaction' ? '' : hookOutput(texts.join('\n\n'), shape)
  }
  const request = { event, client, prompt: first(input, 'prompt') ?? '', trace, now: parts.now }
  return give(
    await hookContext(store, { ...request, ...(source !== undefined && { source }) }, (found) => {
      atHand.answer = () => give(found)
    }),
  )
}

/** Events whose output no model reads, or whose output would make the model continue. */
const isSilent = (event: HookEvent): event is 'compaction' | 'stop' => event === 'compaction' || event === 'stop'

interface Followed {
  readonly event: HookEvent
  readonly client: string
  readonly input: Record<string, unknown>
  readonly source: string | undefined
  readonly trace: SessionTrace
  readonly parts: HookParts
  readonly store: Store
}

/**
 * Keeps the last messages in the trace, and asks about an unrecorded decision when the agent stops or after a
 * compaction. The answer to the question never causes another one.
 */
async function followConversation({
  event,
  client,
  input,
  source,
  trace,
  parts,
  store,
}: Followed): Promise<{ readonly trace: SessionTrace; readonly question?: string }> {
  const { capture } = parts
  const { asksAtStop } = await import('../../setup/domain/hook-output.ts')
  if (capture === undefined || !asksAtStop(client) || input['stop_hook_active'] === true) return { trace }
  // A cleared conversation starts over; a resumed one continues.
  if (event === 'session-start' && source !== 'compact')
    return { trace: { ...trace, ...(source === 'clear' && { messages: [] }) } }
  const { traceMessage, unrecordedDecision } = await import('../../setup/operations/hook-question.ts')
  const at = parts.now.toISOString()
  if (event === 'prompt')
    return { trace: traceMessage(trace, { role: 'user', text: first(input, 'prompt') ?? '', at }) }
  if (event === 'compaction') return { trace }
  const text = first(input, 'last_assistant_message', 'prompt_response') ?? ''
  const followed = event === 'stop' ? traceMessage(trace, { role: 'assistant', text, at }) : trace
  const question = await unrecordedDecision(store, followed, { event, settled: capture.settled })
  if (question === undefined) return { trace: followed }
  const { messages: _asked, ...rest } = followed
  return { trace: { ...rest, isAsked: true }, question }
}

async function readInput(stdin: Input): Promise<Record<string, unknown>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stdin) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    chunks.push(bytes)
    length += bytes.length
    if (length > MOST_INPUT) throw new Error('the input is too long')
  }
  const value: unknown = JSON.parse(
    Buffer.concat(chunks)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  )
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('the input is not an object')
  return value as Record<string, unknown>
}

function first(input: Record<string, unknown>, ...names: string[]): string | undefined {
  const value = names.map((name) => input[name]).find((candidate) => typeof candidate === 'string' && candidate !== '')
  return value as string | undefined
}

const firstRoot = (roots: unknown): string | undefined =>
  Array.isArray(roots) && typeof roots[0] === 'string' ? roots[0] : undefined
