import { closeMatch } from '../kernel/domain/close-match.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { ModelToolCall, ModelToolResult } from '../kernel/ports/language-model.ts'
import { TOO_MUCH } from './call-bounds.ts'
import type { EndReason } from './domain/chat/chat.ts'
import type { Approval } from './domain/chat/part.ts'
import { allowedKey, type AnalystTool, type ToolOutcome } from './tool.ts'
import type { TurnWriter } from './turn-writer.ts'

export interface CallingTurn {
  readonly tools: readonly AnalystTool[]
  readonly writer: TurnWriter
  readonly signal: StopSignal
  /** Whether the model has read third-party text: its next call may follow instructions in it. */
  readonly hasReadOthers: boolean
  /** Tools allowed for the whole chat, see `allowedIn`; newly allowed ones are added. */
  readonly allowed: Set<string>
  approve(call: ModelToolCall): Promise<Approval>
}

/** Maximum concurrent calls: a model may call many tools at once, and this limits the load on a database. */
const SIDE_BY_SIDE = 4
/**
 * Maximum size of the arguments that a person must review before they are sent to a third-party tool, in characters.
 */
const LONGEST_SHOWN = 10_000
/** Maximum size of an answer stored as data, in characters. */
const LARGEST_OUTPUT = 200_000

/**
 * Runs a model's calls concurrently and stores each result. This is the only gate for calls: a tool that the turn does
 * not have is not run; a third-party tool runs only if a person approves the call; and so does a Ken tool that changes
 * something, once the model has read third-party text.
 */
export async function runCalls(
  calls: readonly ModelToolCall[],
  turn: CallingTurn,
): Promise<{ readonly results: readonly ModelToolResult[]; readonly ends: EndReason | undefined }> {
  const outcomes: ToolOutcome[] = []
  const waiting = [...calls.entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [i, call] = next
      const outcome = await runOne(call, turn)
      outcomes[i] = outcome
      const isSmall = outcome.output !== undefined && JSON.stringify(outcome.output).length <= LARGEST_OUTPUT
      await turn.writer.add({
        kind: 'result',
        call: call.id,
        tool: call.name,
        text: outcome.text,
        failed: outcome.failed,
        ...(isSmall && { output: outcome.output }),
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, calls.length) }, worker))
  const results = calls.map(({ id, name }, i) => {
    const { text, failed } = outcomes[i]!
    return { id, name, text, failed }
  })
  return { results, ends: outcomes.find(({ ends }) => ends !== undefined)?.ends }
}

async function runOne(call: ModelToolCall, turn: CallingTurn): Promise<ToolOutcome> {
  const refused = (text: string): ToolOutcome => ({ text, failed: true })
  const names = turn.tools.map(({ name }) => name)
  const tool = turn.tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const near = closeMatch(call.name, names)
    return refused(
      `No tool named "${call.name}". ${near === undefined ? `Available: ${names.join(', ')}.` : `Did you mean ${near}?`}`,
    )
  }
  if (call.input === TOO_MUCH)
    return refused('It was not run: its arguments are too long or nested too deeply. Send less at once.')
  if (turn.signal.aborted) return refused('It was not run: the person stopped the turn.')
  if (tool.approval === 'person' && JSON.stringify(call.input ?? null).length > LONGEST_SHOWN)
    return refused('This is more than a person can look through before they say yes. Send less.')
  const waits = tool.approval === 'person' || (tool.approval === 'after_reading' && turn.hasReadOthers)
  if (waits && !(await isApproved(call, tool, turn)))
    return refused('The person did not allow this call. Go on without it, or ask them what they want.')
  try {
    return await tool.run(call.input, { id: call.id, signal: turn.signal })
  } catch (thrown) {
    return refused(toAppError(thrown).line)
  }
}

async function isApproved(
  call: ModelToolCall,
  tool: AnalystTool,
  { writer, allowed, approve }: CallingTurn,
): Promise<boolean> {
  const isOwn = tool.approval === 'after_reading'
  if (!isOwn && allowed.has(allowedKey(tool))) return true
  const { id, name, input } = call
  await writer.add({
    kind: 'approval',
    call: id,
    tool: name,
    input,
    ...(tool.mark !== undefined && { mark: tool.mark }),
    ...(isOwn && { own: true as const }),
  })
  const answer = await approve(call)
  await writer.add({ kind: 'approved', call: call.id, answer })
  if (answer === 'chat' && !isOwn) allowed.add(allowedKey(tool))
  return answer !== 'no'
}
