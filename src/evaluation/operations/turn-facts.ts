import type { ChatPart } from '../../analyst/domain/chat/part.ts'
import { turnAnswer } from '../../analyst/domain/chat/turn-answer.ts'
import type { AnalystState } from '../../analyst/ports/analyst-state.ts'
import { sqlTables } from '../../context/domain/sources/sql-tables.ts'
import type { TurnFacts, TurnQuery } from '../domain/turn-facts.ts'

/** Facts about the turn of an answer. */
export async function turnFacts(state: AnalystState, chat: string, message: string): Promise<TurnFacts> {
  const [messages, stored] = await Promise.all([state.log.messages(chat), state.log.parts(chat, 0)])
  const parts = stored.filter((one) => one.message === message).map(({ part }) => part)
  const { text, question, failure, citations, charts } = turnAnswer(parts)
  return {
    text,
    end: messages.find(({ id }) => id === message)?.end?.reason,
    question,
    failure,
    calls: callsOf(parts).map(({ call: { tool, input }, failed }) => ({ tool, input, failed })),
    queries: await queriesOf(state, chat, message),
    citations,
    charted: charts.map(({ query }) => query),
  }
}

/** Tool calls, each with its result. */
export function callsOf(parts: readonly ChatPart[]) {
  const results = new Map(parts.flatMap((part) => (part.kind === 'result' ? [[part.call, part] as const] : [])))
  return parts.flatMap((part) =>
    part.kind === 'call'
      ? [{ call: part, failed: results.get(part.call)?.failed ?? true, text: results.get(part.call)?.text ?? '' }]
      : [],
  )
}

async function queriesOf(
  { queries }: Pick<AnalystState, 'queries'>,
  chat: string,
  message: string,
): Promise<readonly TurnQuery[]> {
  const ran = (await queries.list(chat)).filter((one) => one.message === message)
  return Promise.all(
    ran.map(async ({ id, sql, rowCount, cut }) => {
      const { columns, rows } = (await queries.find(chat, id))!
      return { id, sql, result: { columns, rows }, cut: cut || rowCount > rows.length, tables: sqlTables(sql).reads }
    }),
  )
}
