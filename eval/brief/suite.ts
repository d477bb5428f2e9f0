import { readConversations, type Conversation } from './conversations.ts'
import { openConversationDesk } from './desk.ts'
import { BUDGETS, bm25Order, fillUp, halfOf, newestFirst, openTally, shareKept, type BriefRow } from './score.ts'

export interface BriefSuiteOptions {
  /** The folder of labelled sets; LoCoMo is left out where it is not there. */
  readonly data: string | undefined
  /** Every tenth question of LoCoMo. */
  readonly quick: boolean
  say(line: string): void
}

/** LoCoMo: each conversation in a home of its own, every question put to `ken brief --for` at every budget. */
export async function runConversations({ data, quick, say }: BriefSuiteOptions): Promise<BriefRow[]> {
  const conversations = data === undefined ? undefined : readConversations(data)
  if (conversations === undefined) {
    say(`LoCoMo is not there${data === undefined ? '' : ` in ${data}`}: name the folder of labelled sets with --data.`)
    return []
  }
  const tally = openTally('LoCoMo')
  for (const [at, conversation] of conversations.entries()) {
    const since = performance.now()
    const asked = await measure(conversation, tally, quick ? 10 : 1)
    say(
      `conversation ${at + 1} of ${conversations.length}: ${asked} questions, ${Math.round((performance.now() - since) / 1000)} s`,
    )
  }
  return tally.rows()
}

async function measure(
  conversation: Conversation,
  tally: ReturnType<typeof openTally>,
  every: number,
): Promise<number> {
  const desk = await openConversationDesk(conversation)
  try {
    const turns = conversation.sessions.flatMap((session) => session.turns)
    const texts = turns.map(({ text }) => text)
    const textOf = new Map(turns.map(({ id, text }) => [id, text]))
    const questions = conversation.questions.filter((_, at) => at % every === 0)
    for (const { text: question, evidence } of questions) {
      const facts = evidence.map((id) => textOf.get(id)!)
      const half = halfOf(question)
      const orders = { 'newest first': newestFirst(texts), BM25: bm25Order(texts, question) }
      for (const budget of BUDGETS) {
        const { content } = await desk.brief({ budget, for: question })
        tally.add('brief', budget, half, content, shareKept(content, facts))
        for (const system of ['newest first', 'BM25'] as const) {
          const text = fillUp(texts, orders[system], budget)
          tally.add(system, budget, half, text, shareKept(text, facts))
        }
      }
    }
    return questions.length
  } finally {
    await desk.close()
  }
}
