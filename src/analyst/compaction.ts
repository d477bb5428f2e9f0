import { estimateTokens } from '../context/domain/context-project/manifest.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import { delimit, IS_DATA } from '../kernel/domain/text/delimit.ts'
import type { LanguageModel, ModelMessage, ModelTool } from '../kernel/ports/language-model.ts'
import type { ChatQueries } from './ports/chat-queries.ts'

/** From this share of its window on, a model gets a summary of the beginning of a conversation. */
const FULL = 0.75
/** Approximate cost of an image, independent of its size. */
const IMAGE_TOKENS = 1_000
const SUMMARY_TOKENS = 4_000
const LONGEST_RESULT = 1_500
const LONGEST_QUERY = 300

export interface Load {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly maxTokens: number
}

export const isFull = (load: Load, window: number): boolean => loadTokens(load) > window * FULL

function loadTokens({ system, messages, tools, maxTokens }: Load): number {
  const own = messages.reduce((sum, message) => sum + messageTokens(message), 0)
  return estimateTokens(system) + own + estimateTokens(JSON.stringify(tools)) + maxTokens
}

function messageTokens(message: ModelMessage): number {
  let tokens = 4
  for (const part of message.content) {
    if ('type' in part && part.type === 'image') tokens += IMAGE_TOKENS
    else if ('text' in part) tokens += estimateTokens(part.text)
    else tokens += estimateTokens(JSON.stringify(part.input) ?? '')
  }
  return tokens
}

/**
 * Summarises a conversation. Essential content does not depend on the summarising model: queries are listed below by
 * their ids, and if the model is unavailable the beginning and end of each text are used instead.
 */
export async function summarise(
  messages: readonly ModelMessage[],
  { model, queries, chat, signal }: { model: LanguageModel; queries: ChatQueries; chat: string; signal: StopSignal },
): Promise<{ readonly summary: string; readonly problem: string | undefined }> {
  const transcript = transcriptOf(messages, Math.floor(model.window * 0.5) * 4)
  const known = (await queries.list(chat)).map(
    ({ id, database, sql, columns, rowCount }) =>
      `- ${id} on ${database}, ${rowCount} rows of ${columns.map(({ name }) => name).join(', ')}: ${oneLine(sql)}`,
  )
  const below = known.length === 0 ? '' : `\n\nQueries that were run, by id:\n${known.join('\n')}`
  try {
    const written = await model.write({
      system: INSTRUCTIONS,
      prompt: delimit('passage', transcript),
      maxTokens: SUMMARY_TOKENS,
      signal,
    })
    return { summary: `${written.trim()}${below}`, problem: undefined }
  } catch (error) {
    if (signal.aborted) throw error
    return { summary: `${withoutMiddle(transcript)}${below}`, problem: (error as Error).message }
  }
}

const INSTRUCTIONS = `You shorten a conversation between a person and a data analyst so that it can go on without its beginning. Write plain sentences under these headings, leaving out those with nothing to say:
Asked: what the person wants, in their words, and what they corrected or ruled out.
Decided: what was agreed: definitions, filters, dates, tables to use or to avoid.
Figures: every number that was found, with what it is, and the id of its query (q_…) where there is one.
Known: what was learned of tables, columns, values and joins.
Charts and stories: what was drawn or written, with ids.
Open: questions that are not answered yet.
Invent nothing, leave no number out. ${IS_DATA}`

/** Renders the conversation; only its newest part if not all of it fits. */
function transcriptOf(messages: readonly ModelMessage[], most: number): string {
  const text = messages.flatMap(linesOf).join('\n')
  return text.length <= most ? text : `[the beginning is left out]\n${text.slice(-most)}`
}

function linesOf(message: ModelMessage): string[] {
  if (message.role === 'tool')
    return message.content.map(({ name, text }) => `${name} answered: ${text.slice(0, LONGEST_RESULT)}`)
  const who = message.role === 'user' ? 'Person' : 'Analyst'
  return message.content.flatMap((part) => {
    if (part.type === 'text') return [`${who}: ${part.text}`]
    if (part.type !== 'call') return []
    return [`${who} called ${part.name}: ${JSON.stringify(part.input).slice(0, LONGEST_RESULT)}`]
  })
}

const withoutMiddle = (text: string): string => {
  const half = SUMMARY_TOKENS * 2
  return text.length <= half * 2 ? text : `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`
}

const oneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ').slice(0, LONGEST_QUERY)
