import type {
  ModelImage,
  ModelMessage,
  ModelReasoning,
  ModelText,
  ModelToolCall,
  ModelToolResult,
} from '../kernel/ports/language-model.ts'
import type { ChatMessage } from './domain/chat/chat.ts'
import type { ChatPart } from './domain/chat/part.ts'
import type { StoredPart } from './ports/chat-log.ts'

// Older tool results are shortened: the answer based on them contains the relevant content.
const RECENT_ANSWERS = 2
const OLD_RESULT = 2_000

/**
 * A stored conversation in model format, from the last compaction on. Calls that were never answered, because of a stop
 * or a crash, get a failed result: no provider accepts a call without its result.
 */
export function conversation(messages: readonly ChatMessage[], stored: readonly StoredPart[]): readonly ModelMessage[] {
  const compacted = stored.findLast(({ part }) => part.kind === 'compaction')?.part
  const upTo = compacted?.kind === 'compaction' ? compacted.upTo : 0
  const partsOf = Map.groupBy(stored, ({ message }) => message)
  const answers = messages.filter(({ role }) => role === 'assistant')
  const recent = new Set(answers.slice(-RECENT_ANSWERS).map(({ id }) => id))
  const told = messages.flatMap((message): readonly ModelMessage[] => {
    const parts = (partsOf.get(message.id) ?? []).filter(({ number }) => number > upTo).map(({ part }) => part)
    if (parts.length === 0) return []
    return message.role === 'user' ? asked(parts) : answered(parts, recent.has(message.id))
  })
  return compacted?.kind === 'compaction' ? [summaryMessage(compacted.summary), ...told] : told
}

const SUMMARY = 'What was said and found in this conversation so far, in short:\n\n'

export const summaryMessage = (summary: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'text', text: `${SUMMARY}${summary}` }],
})

export function isSummary(message: ModelMessage): boolean {
  const [first] = message.role === 'user' ? message.content : []
  return first?.type === 'text' && first.text.startsWith(SUMMARY)
}

function asked(parts: readonly ChatPart[]): readonly ModelMessage[] {
  const content = parts.flatMap((part): (ModelText | ModelImage)[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }]
    return part.kind === 'image' ? [{ type: 'image', mediaType: part.mediaType, base64: part.base64 }] : []
  })
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

function answered(parts: readonly ChatPart[], isRecent: boolean): readonly ModelMessage[] {
  const messages: ModelMessage[] = []
  let content: (ModelText | ModelReasoning | ModelToolCall)[] = []
  let results: ModelToolResult[] = []
  const flush = (): void => {
    const calls = content.filter((one) => one.type === 'call')
    const missing = calls.filter(({ id }) => results.every((result) => result.id !== id))
    const own = results.filter(({ id }) => calls.some((one) => one.id === id))
    if (content.length > 0) messages.push({ role: 'assistant', content })
    if (calls.length > 0) messages.push({ role: 'tool', content: [...own, ...missing.map(notRun)] })
    content = []
    results = []
  }
  for (const part of parts) {
    if (part.kind === 'result') {
      const text = isRecent ? part.text : shortened(part.text)
      results.push({ id: part.call, name: part.tool, text, failed: part.failed })
      continue
    }
    // Text that was interrupted and repeated counts once. Pending content belongs to the failed step.
    if (part.kind === 'notice' && part.again === true && results.length === 0) content = []
    const said = partOf(part, isRecent)
    if (said === undefined) continue
    if (results.length > 0) flush()
    content.push(said)
  }
  flush()
  return messages
}

function partOf(part: ChatPart, isRecent: boolean): ModelText | ModelReasoning | ModelToolCall | undefined {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? undefined : { type: 'text', text: part.text }
    case 'reasoning':
      // Reasoning without its provider's data would be misinterpreted.
      return isRecent && part.carry !== undefined
        ? { type: 'reasoning', text: part.text, carry: part.carry }
        : undefined
    case 'call':
      return {
        type: 'call',
        id: part.call,
        name: part.tool,
        input: part.input,
        ...(part.carry !== undefined && { carry: part.carry }),
      }
    default:
      return undefined
  }
}

const notRun = ({ id, name }: ModelToolCall): ModelToolResult => ({
  id,
  name,
  text: 'It was not run: the turn ended before.',
  failed: true,
})

const shortened = (text: string): string =>
  text.length <= OLD_RESULT ? text : `${text.slice(0, OLD_RESULT)}\n[${text.length - OLD_RESULT} characters left out]`
