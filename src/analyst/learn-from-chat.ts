import type { StopSignal } from '../kernel/domain/stop.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { LanguageModel } from '../kernel/ports/language-model.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import type { ChatPart } from './domain/chat/part.ts'
import type { AcceptedMemory, Refusal } from './domain/user-memory/judge-proposals.ts'
import type { MemoryRow } from './domain/user-memory/memory-row.ts'
import type { UserMessage } from './domain/user-memory/user-messages.ts'
import { extractMemories } from './extract-memories.ts'
import type { AnalystState } from './ports/analyst-state.ts'
import type { MemoryChange } from './ports/user-memories.ts'

export interface LearnParts {
  readonly state: Pick<AnalystState, 'log' | 'memories' | 'calls'>
  readonly clock: Clock
  /** If undefined, plain statements are still learned, by rule. */
  readonly model: LanguageModel | undefined
  /** The bundled embedder, which detects paraphrases. */
  readonly embedder?: Embedder | undefined
  readonly signal: StopSignal
}

export interface LearnTurn {
  readonly user: string
  readonly project: string
  readonly chat: string
}

export interface Learned {
  /** Parts for the answer, so that the person sees immediately which memories were kept or forgotten. */
  readonly parts: readonly ChatPart[]
  readonly refused: readonly Refusal[]
  /** Why nothing could be learned, or less than possible. */
  readonly failure?: string
}

/**
 * Learns from the user's last message. Reads only the user's text, asks the model at most once and only if the message
 * has a signal, and never throws: call it concurrently with the turn and add its parts when it is done.
 */
export async function learnFromChat(parts: LearnParts, turn: LearnTurn): Promise<Learned> {
  try {
    return await learn(parts, turn)
  } catch (error) {
    return { parts: [], refused: [], failure: toAppError(error).message }
  }
}

async function learn({ state, clock, ...asked }: LearnParts, turn: LearnTurn): Promise<Learned> {
  const { user, project, chat } = turn
  const said = await userTexts(state.log, chat)
  const holding = await state.memories.active(user, project)
  const message = said.at(-1)?.id
  const { accepted, forget, refused, failure } = await extractMemories(
    {
      ...asked,
      clock,
      keepCall: (call) =>
        state.calls.keep({
          ...call,
          id: clock.ulid(),
          user,
          project,
          chat,
          ...(message !== undefined && { message }),
          purpose: 'memory',
          at: clock.now().toISOString(),
        }),
    },
    said,
    holding,
  )
  const at = clock.now().toISOString()
  const rows = accepted.map((one) => ({ one, row: rowOf(one, turn, { id: clock.ulid(), at }) }))
  const changes: MemoryChange[] = [
    ...rows.map(({ one, row }) => ({
      kind: 'add' as const,
      row,
      ...(one.supersedes !== undefined && { supersedes: one.supersedes }),
    })),
    ...forget.map(({ id }) => ({ kind: 'forget' as const, id, at, revive: false })),
  ]
  if (changes.length > 0) await state.memories.apply(user, changes)
  const gone = holding.filter(({ id }) => forget.some((one) => one.id === id))
  return {
    parts: [
      ...rows.map(({ row }): ChatPart => ({ kind: 'remembered', memory: row.id, content: row.content })),
      ...gone.map(({ content }): ChatPart => ({ kind: 'notice', text: `No longer remembered: ${content}` })),
    ],
    refused,
    ...(failure !== undefined && { failure }),
  }
}

/** The user's messages in a chat, oldest first: never text from the assistant, a tool, a file or an agent. */
async function userTexts(log: AnalystState['log'], chat: string): Promise<readonly UserMessage[]> {
  const [messages, parts] = await Promise.all([log.messages(chat), log.parts(chat, 0)])
  const texts = Map.groupBy(
    parts.filter(({ part }) => part.kind === 'text'),
    ({ message }) => message,
  )
  return messages
    .filter(({ role, model }) => role === 'user' && model === undefined)
    .map(({ id }) => ({
      id,
      text: (texts.get(id) ?? []).map(({ part }) => (part.kind === 'text' ? part.text : '')).join('\n\n'),
    }))
}

function rowOf(
  { category, content, evidence, message }: AcceptedMemory,
  { user, project, chat }: LearnTurn,
  { id, at }: { readonly id: string; readonly at: string },
): MemoryRow {
  return {
    id,
    user,
    ...(isOfProject(evidence) && { project }),
    category,
    content,
    evidence: { words: evidence, chat, message },
    createdAt: at,
    updatedAt: at,
  }
}

/** Whether the words limit a memory to this project; otherwise it applies everywhere. */
const isOfProject = (words: string): boolean =>
  /\b(?:in|for|on|with) this (?:project|repo(?:sitory)?|workspace|database|context)\b|\b(?:in|für) diese(?:m|s|r)? (?:Projekt|Repository|Datenbank)\b|\b(?:dans|pour) ce projet\b|\b(?:en|para) este proyecto\b/i.test(
    words,
  )
