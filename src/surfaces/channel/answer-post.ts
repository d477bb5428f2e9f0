import type { EndReason } from '../../analyst/domain/chat/chat.ts'
import type { ChatPart } from '../../analyst/domain/chat/part.ts'
import { turnAnswer, type TurnAnswer } from '../../analyst/domain/chat/turn-answer.ts'
import { renderCitations } from '../../analyst/domain/citation/render-citations.ts'
import { errorLine } from '../../kernel/domain/errors.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { plainView } from '../../kernel/domain/view/view.ts'
import type { Offered } from '../../operations/context.ts'
import type { ChannelPost } from '../../team/domain/channel/channel-post.ts'
import { ifThere, run, type ChannelDesk } from './channel-desk.ts'

/** An answer in the chat. */
export interface ShownAnswer {
  readonly parts: readonly ChatPart[]
  /** Undefined while the answer is being written. */
  readonly end: EndReason | undefined
}

/** Undefined if the chat has no such message. */
export async function shownAnswer(
  desk: ChannelDesk,
  ctx: Offered,
  { chat, answer }: { readonly chat: string; readonly answer: string },
): Promise<ShownAnswer | undefined> {
  const among = async (last: object): Promise<Shown | undefined> =>
    (await run(desk, ctx, 'chat_show', { chat, ...last }))['messages'].find(({ id }: Shown) => id === answer)
  // The message is nearly always the last one, and a chat may be long.
  const found = (await among({ last: 2 })) ?? (await among({}))
  return found && { parts: found.parts, end: found.end?.reason }
}

interface Shown {
  readonly id: string
  readonly parts: readonly ChatPart[]
  readonly end?: { readonly reason: EndReason }
}

const MOST_QUERIES = 3
const LONGEST_SQL = 400

/** The answer as posted in the channel: its text, the queries behind its numbers, and the thumbs buttons. */
export async function answerPost(
  desk: ChannelDesk,
  ctx: Offered,
  told: ShownAnswer,
  { chat, open, about }: { readonly chat: string; readonly open: string; readonly about: string },
): Promise<ChannelPost> {
  const answer = turnAnswer(told.parts)
  const sources = await Promise.all(
    citedQueries(answer)
      .slice(0, MOST_QUERIES)
      .map(async ({ query, numbers }) => {
        const found = await ifThere(run(desk, ctx, 'chat_result', { chat, query_id: query, limit: 1 }))
        if (found === undefined) return ''
        const { sql, database } = found
        return `${numbers.join(', ')}: ${database}\n\`\`\`\n${ellipsis(String(sql), LONGEST_SQL).replaceAll('```', '’’’')}\n\`\`\``
      }),
  )
  return {
    markdown: markdownOf(answer, told.end),
    foot: [...sources, ...answer.notices],
    open,
    buttons: answer.failure === undefined ? ['up', 'down'] : [],
    about,
  }
}

function markdownOf(answer: TurnAnswer, end: EndReason | undefined): string {
  const asked = answer.question === undefined ? [] : [answer.question, ...answer.options.map((one) => `- ${one}`)]
  return [
    renderCitations(answer.text, answer.citations, plainView('pipe')),
    ...asked,
    ...(answer.failure === undefined ? [] : [errorLine(answer.failure)]),
    ...(end === 'stopped' ? ['_Stopped._'] : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function citedQueries({ citations }: TurnAnswer): { readonly query: string; readonly numbers: readonly string[] }[] {
  const checked = citations.filter(({ query, state }) => query !== undefined && state === 'checked')
  return [...Map.groupBy(checked, ({ query }) => query!)].map(([query, all]) => ({
    query,
    numbers: [...new Set(all.map(({ text }) => text))].slice(0, 10),
  }))
}
