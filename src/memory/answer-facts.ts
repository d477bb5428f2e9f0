import type { SearchScope } from '../retrieval/domain/ranking/indexed-document.ts'
import { factQuestion, sharedWords } from './domain/question/fact-question.ts'
import type { QuestionTime } from './domain/question/question-time.ts'
import type { SessionFact } from './domain/session/facts.ts'
import type { SessionArchive } from './ports/session-archive.ts'
import { readDiary } from './session-diary.ts'

export interface AnsweringFact extends SessionFact {
  readonly session: string
  readonly client: string
}

/** Sessions to search, newest first. */
const MOST_SESSIONS = 500
const MOST_ANSWERS = 12

/**
 * Facts from sessions that answer a question about past actions, best first; undefined for any other question. Of equal
 * facts only the newest is returned, or the oldest if the question asks for the first time. The archive is opened only
 * for such a question, because opening it writes to KEN_HOME.
 */
export async function answerFacts(
  open: () => Promise<Pick<SessionArchive, 'list' | 'read'>>,
  {
    text,
    time,
    within,
  }: { readonly text: string; readonly time: QuestionTime | undefined; readonly within: SearchScope['within'] },
): Promise<readonly AnsweringFact[] | undefined> {
  const question = factQuestion(text, time)
  if (question === undefined) return undefined
  const span = time?.span
  const isWithin = ({ at }: SessionFact): boolean =>
    span === undefined || (Date.parse(at) >= span.from && Date.parse(at) <= span.to)
  const found: (AnsweringFact & { readonly shared: number })[] = []
  for await (const { session, client, done } of readDiary(await open(), { within, span, most: MOST_SESSIONS }))
    for (const fact of done.facts) {
      const shared = sharedWords(question, fact)
      if (shared !== undefined && isWithin(fact)) found.push({ ...fact, session, client, shared })
    }
  const most = Math.max(...found.map(({ shared }) => shared))
  // Facts of one session are in order already; the client’s clock may not be.
  const ordered = found
    .filter(({ shared }) => shared === most)
    .map(({ shared: _, ...fact }, order) => ({ fact, order }))
    .toSorted((a, b) => compare(a.fact.at, b.fact.at) || (a.fact.session === b.fact.session ? a.order - b.order : 0))
    .map(({ fact }) => fact)
  const wanted = question.order === 'oldest' ? ordered : ordered.toReversed()
  const distinct = new Map<string, AnsweringFact>()
  for (const fact of wanted) {
    const key = `${fact.kind} ${fact.what}`
    if (!distinct.has(key)) distinct.set(key, fact)
  }
  return [...distinct.values()].slice(0, question.isOne ? 1 : MOST_ANSWERS)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
