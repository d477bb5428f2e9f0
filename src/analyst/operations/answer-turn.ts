import { NO_USAGE } from '../../kernel/domain/model-usage.ts'
import type { Given } from '../../operations/context.ts'
import type { TurnResult } from '../ask-model.ts'
import { citeAnswer } from '../cite-answer.ts'
import { conversation } from '../conversation.ts'
import type { ChatPart } from '../domain/chat/part.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import { systemPrompt } from '../system-prompt.ts'
import { allowedIn } from '../tool.ts'
import { turnContent } from '../turn-content.ts'
import { openTurnWriter, failurePart } from '../turn-writer.ts'
import { answerByClient } from './answer-by-client.ts'
import { answerByModel } from './answer-by-model.ts'
import type { AskedTurn, TurnDesk, TurnHistory } from './asked-turn.ts'
import { ADD_A_MODEL, gatherEvidence, NO_MODEL_HERE } from './gather-evidence.ts'
import type { Gathered } from './gather-turn.ts'
import { learnFromTurn } from './learn-from-turn.ts'
import { prepareTurn } from './prepare-turn.ts'

/** One question and its answer, from gathering the model's input to the last stored part. */
export async function answerTurn(
  ctx: Given<'analyst' | 'context' | 'record'>,
  asked: AskedTurn,
  state: AnalystState,
): Promise<void> {
  const { chat, question, answer, live, words } = asked
  const started = ctx.clock.now().getTime()
  const before = await history(state, asked)
  const writer = openTurnWriter(answer, { log: state.log, live, clock: ctx.clock })
  const images = asked.images.map((image): ChatPart => ({ kind: 'image', ...image }))
  await writer.begin(question, [{ kind: 'text', text: words }, ...images])
  await state.log.end(question.id, { reason: 'answered', usage: NO_USAGE, milliseconds: 0, steps: 0 })
  await writer.begin(answer, [])
  const learning = learnFromTurn(ctx, asked, state).then(({ parts }) => parts)
  let result: TurnResult = { reason: 'failed', usage: NO_USAGE, steps: 0 }
  try {
    result = await answerWith(ctx, asked, { state, writer, before })
    const cited = asked.answerer && (await citeAnswer({ chat: chat.id, words, parts: writer.told() }, state.queries))
    if (cited !== undefined) await writer.add(cited)
    for (const part of await soon(learning)) await writer.add(part)
  } catch (thrown) {
    if (ctx.signal?.aborted) result = { ...result, reason: 'stopped' }
    else await writer.add(failurePart(thrown))
  } finally {
    await writer.end({ ...result, milliseconds: ctx.clock.now().getTime() - started })
  }
}

async function history(state: AnalystState, { chat: { id: chat }, isPerson }: AskedTurn): Promise<TurnHistory> {
  const [messages, parts] = await Promise.all([state.log.messages(chat), state.log.parts(chat, 0)])
  const users = new Set(messages.filter(({ role }) => role === 'user').map(({ id }) => id))
  return {
    messages: conversation(messages, parts),
    end: parts.at(-1)?.number ?? 0,
    // An approval for the chat applies to the person's own questions, not to those of an agent that continues it.
    allowed: isPerson ? allowedIn(parts.map(({ part }) => part)) : new Set(),
    asked: parts.flatMap(({ message, part }) => (users.has(message) && part.kind === 'text' ? [part.text] : [])),
  }
}

async function answerWith(
  ctx: Given<'analyst' | 'context' | 'record'>,
  asked: AskedTurn,
  desk: TurnDesk,
): Promise<TurnResult> {
  const { answerer, words } = asked
  const { writer, state, before } = desk
  if (answerer === undefined) {
    await writer.say('text', await gatherEvidence(ctx, words))
    await writer.add({ kind: 'notice', text: ctx.offers === undefined ? ADD_A_MODEL : NO_MODEL_HERE })
    return { reason: 'answered', usage: NO_USAGE, steps: 0 }
  }
  const window = answerer.kind === 'model' ? answerer.model.window : Number.POSITIVE_INFINITY
  const { names, gathered } = await prepareTurn(
    ctx,
    { ...asked, earlier: before.asked, isClient: answerer.kind !== 'model', window },
    state,
  )
  await writer.add({ kind: 'injected', injected: gathered.injected })
  for (const text of [...asked.warnings, ...gathered.notices]) await writer.add({ kind: 'notice', text })
  const system = systemPrompt(gathered.prompt)
  const content = turnContent(words, gathered.additions)
  return answerer.kind === 'model'
    ? answerByModel(ctx, asked, {
        ...desk,
        names,
        system,
        content,
        model: answerer.model,
        hasOthersWords: holdsOthers(gathered),
      })
    : answerByClient(ctx, asked, { ...desk, names, system, content, client: answerer.client })
}

/** Whether the model's input contains anything but the person's own words and memories. */
const holdsOthers = ({ injected, additions }: Gathered): boolean =>
  injected.rules !== undefined ||
  [
    injected.decisions,
    injected.skills,
    injected.tables,
    injected.stories,
    additions.documents,
    additions.examples,
    additions.images,
  ].some(({ length }) => length > 0) ||
  additions.schema !== ''

/** Milliseconds that a finished answer waits for memories learned from the turn. */
const LEARNING = 5_000

/** Waits briefly for learned memories. Later ones are stored anyway, but not shown on this answer. */
function soon(learning: Promise<readonly ChatPart[]>): Promise<readonly ChatPart[]> {
  const { promise, resolve } = Promise.withResolvers<readonly ChatPart[]>()
  const timer = setTimeout(() => resolve([]), LEARNING)
  learning.catch(() => []).then(resolve)
  return promise.finally(() => clearTimeout(timer))
}
