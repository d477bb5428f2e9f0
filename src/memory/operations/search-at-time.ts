import type { TimeSpan } from '../../kernel/domain/input/spoken-time.ts'
import { isTold } from '../../retrieval/domain/ranking/verdict.ts'
import { hasNoTopic, type QuestionTime } from '../domain/question/question-time.ts'
import type { Memory, MemoryAnswer, MemoryHit, MemoryQuestion } from '../ports/memory.ts'

/** A question in the form used for the search, and the time read from it. */
export interface TimedQuestion extends MemoryQuestion {
  readonly time?: QuestionTime
}

/** Sessions that a question without a topic is answered from, unless its caller names other documents. */
const DONE_IN = ['session'] as const
/** Hits among which the newest or oldest is searched for. */
const LOOKED_THROUGH = 50
const MOST_DOCUMENTS = 5_000

/** Narrows a question to the time read from it, unless the caller provided a time. */
export function readQuestionTime(asked: MemoryQuestion, time: QuestionTime | undefined): TimedQuestion {
  const { since, until } = asked.scope
  if (since !== undefined || until !== undefined || asked.by === 'words') return asked
  return time === undefined ? asked : { ...narrowed(asked, time), time }
}

/**
 * Searches at the time that a question names, or by time if it asks for the newest or oldest. If nothing matches that
 * time, the answer says so and contains hits from any time. `asked` is the question as it was given.
 */
export async function searchAtTime(
  memory: Memory,
  { time, ...question }: TimedQuestion,
  asked: MemoryQuestion,
): Promise<MemoryAnswer> {
  if (time === undefined) return memory.search(question)
  const answer = await found(memory, question, time)
  if (answer.hits.length > 0) return { ...answer, notes: [...answer.notes, readAs(time)] }
  if (time.span === undefined) return memory.search(asked)
  const anyTime = await found(memory, { ...question, scope: asked.scope }, time)
  const nearest = nearestTo(anyTime.hits, time.span)
  const there = nearest === undefined ? '' : `; the nearest found is of ${nearest.modified.toISOString().slice(0, 10)}`
  return { ...anyTime, notes: [...anyTime.notes, `Nothing here is of ${time.shown}${there}.`] }
}

function narrowed(asked: MemoryQuestion, { span, rest }: QuestionTime): MemoryQuestion {
  const isList = hasNoTopic(rest)
  return {
    ...asked,
    text: isList ? '' : rest,
    scope: {
      ...asked.scope,
      ...(isList && asked.scope.origins === undefined && { origins: DONE_IN }),
      ...(span !== undefined && { since: span.from, until: span.to }),
    },
  }
}

async function found(memory: Memory, question: MemoryQuestion, { order }: QuestionTime): Promise<MemoryAnswer> {
  if (question.text === '') {
    const isOldest = order === 'oldest'
    const last = isOldest ? (await memory.browser.survey({ ...question, limit: MOST_DOCUMENTS })).length : 0
    const page = await memory.browser.page({ ...question, from: Math.max(0, last - question.limit) })
    const hits = page.hits.map((hit) => ({ ...hit, verdict: 'related' as const }))
    return { ...page, hits: isOldest ? hits.toReversed() : hits }
  }
  if (order === undefined) return memory.search(question)
  const answer = await memory.search({ ...question, limit: Math.max(question.limit, LOOKED_THROUGH) })
  const told = answer.hits.filter(({ verdict }) => isTold(verdict))
  const byTime = told.toSorted((a, b) => a.modified.getTime() - b.modified.getTime())
  return { ...answer, hits: (order === 'oldest' ? byTime : byTime.toReversed()).slice(0, question.limit) }
}

const readAs = ({ order, shown }: QuestionTime): string =>
  order === undefined ? `Read as ${shown}: only that time was searched.` : `Ordered by time, ${order} first.`

function nearestTo(hits: readonly MemoryHit[], { from, to }: TimeSpan): MemoryHit | undefined {
  const distance = ({ modified }: MemoryHit) => Math.max(0, from - modified.getTime(), modified.getTime() - to)
  return hits.toSorted((a, b) => distance(a) - distance(b))[0]
}
