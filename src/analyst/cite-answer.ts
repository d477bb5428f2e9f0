import type { ChatPart } from './domain/chat/part.ts'
import { answerText } from './domain/chat/turn-answer.ts'
import { checkCitations } from './domain/citation/check-citations.ts'
import type { CitedQuery } from './domain/citation/figures-of.ts'
import type { ChatQueries } from './ports/chat-queries.ts'

/** Tools that return numbers from query results, which are compared cell by cell. */
const OF_RESULTS = new Set(['execute_sql', 'read_result', 'display_chart'])
const MOST_QUERIES = 50

export interface AnswerToCite {
  readonly chat: string
  /** The user's message. */
  readonly words: string
  /** Parts of the answer. */
  readonly parts: readonly ChatPart[]
}

/** Sources of the numbers in an answer; undefined if it has none. Numbers quoted from a document are not checked. */
export async function citeAnswer(
  { chat, words, parts }: AnswerToCite,
  queries: ChatQueries,
): Promise<ChatPart | undefined> {
  const text = answerText(parts)
  if (!/\d/.test(text)) return undefined
  const listed = (await queries.list(chat)).slice(-MOST_QUERIES)
  const found = await Promise.all(listed.map(({ id }) => queries.find(chat, id)))
  const known = found.filter((query): query is NonNullable<typeof query> & CitedQuery => query !== undefined)
  const read = parts.flatMap((part) => (part.kind === 'result' && !OF_RESULTS.has(part.tool) ? [part.text] : []))
  const citations = checkCitations(text, known, [words, ...read].join('\n'))
  return citations.length === 0 ? undefined : { kind: 'citations', citations }
}
