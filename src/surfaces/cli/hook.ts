import type { HookEvent } from '../../core/client/client.ts'
import type { SessionMemory } from '../../ports/session-memory.ts'
import type { Store } from '../../ports/store.ts'

export interface HookParts {
  readonly store: Store
  readonly memory: SessionMemory
  /** What is to be said of a merge of the record, in Ken's own words. */
  readonly settled?: readonly string[]
  readonly now: Date
}

/** What Ken itself has to say at the start of a session, where there is no record to read. */
export interface HookNotice {
  readonly notice: string
}

type Input = AsyncIterable<string | Uint8Array>
/** Given the agent's working directory where it names one; undefined when it belongs to no project. */
type OpenParts = (cwd: string | undefined) => Promise<HookParts | HookNotice | undefined>

// The agent waits for the hook, so a disk that does not answer must not make it wait for long.
const PATIENCE = 1_000
const MOST_INPUT = 4 * 1024 * 1024

/** The names that clients have for the events where the input does not say them. */
const EVENT_NAMES: Readonly<Record<HookEvent, string>> = { 'session-start': 'SessionStart', prompt: 'UserPromptSubmit' }

/**
 * `ken hook <event> --client <client>`: the text for standard output, empty when there is nothing to say. Whatever goes
 * wrong, the agent must not notice: this never throws.
 */
export async function runHook(argv: readonly string[], stdin: Input, open: OpenParts): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(''), PATIENCE)
  })
  try {
    return await Promise.race([answer(argv, stdin, open), silence])
  } catch {
    return ''
  } finally {
    clearTimeout(timer)
  }
}

async function answer(argv: readonly string[], stdin: Input, open: OpenParts): Promise<string> {
  const event = argv[0] as HookEvent
  const client = argv[argv.indexOf('--client') + 1] ?? ''
  if (!Object.hasOwn(EVENT_NAMES, event)) return ''
  const input = await readInput(stdin)
  const parts = await open(first(input, 'cwd') ?? firstRoot(input.workspace_roots))
  if (parts === undefined || ('notice' in parts && event !== 'session-start')) return ''
  // Not before a project is found: most sessions of most people have none.
  const [{ hookContext, hookOutput, noticeContext }, { redactedStore }] = await Promise.all([
    import('../../record/hook-context.ts'),
    import('../../operations/redacted-store.ts'),
  ])
  const shape = { client, input, eventName: first(input, 'hook_event_name', 'hookEventName') ?? EVENT_NAMES[event] }
  if ('notice' in parts) return hookOutput(noticeContext(parts.notice, 'disconnected'), shape)
  const settled = (parts.settled ?? []).map((line) => noticeContext(line, 'merged'))
  const session = first(input, 'session_id', 'sessionId', 'conversation_id')
  const trace = session === undefined ? { shown: [], openedAt: undefined } : await parts.memory.recall(session)
  const given = await hookContext(redactedStore(parts.store), {
    event,
    prompt: first(input, 'prompt') ?? '',
    trace,
    now: parts.now,
  })
  if (session !== undefined && given !== undefined) await parts.memory.remember(session, given.trace)
  const texts = [...settled, ...(given === undefined ? [] : [given.text])]
  return texts.length === 0 ? '' : hookOutput(texts.join('\n\n'), shape)
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
