import { numbersAfter } from './decision/decision-id.ts'
import { mergeUnion } from './merge-union.ts'
import { parseQuestions, type Question } from './question.ts'

export interface Versions {
  readonly base: string
  readonly ours: string
  readonly theirs: string
  /** True if `ours` is published: its numbers stay. */
  readonly published?: boolean
}

export interface MergedText {
  readonly text: string
  /** Conflicts for a person's review; the text is valid. */
  readonly conflicts: readonly string[]
}

/**
 * Merges two versions of open-questions.md. If both sides added a question under one number, the published one keeps
 * it, else the text that sorts first, so that every clone decides alike; the other gets a new number. A question that a
 * side resolved or removed is closed, and a question whose answer a side retracted is open again.
 */
export function mergeQuestions({ base, ours, theirs, published = false }: Versions): MergedText {
  const known = new Set(parseQuestions(base).map(identity))
  const [mine, yours] = renumberTwins({ ours, theirs, published }, known)
  const answers = answersOf(base)
  const reopened = new Set([...takenBack(answers, mine, yours), ...takenBack(answers, yours, mine)])
  const left = withoutClosed(mine, yours, { known, reopened })
  const right = withoutClosed(yours, mine, { known, reopened })
  const { text: one, conflicts } = settleDoubleAnswers(left, right)
  return { text: unfold(mergeUnion(fold(left), fold(one))), conflicts }
}

const identity = (q: Question): string => `${q.id} ${q.body}`

/** Renumbers new questions that have the same number on both sides but different words. */
function renumberTwins(
  { ours, theirs, published }: Omit<Versions, 'base'>,
  known: ReadonlySet<string>,
): [string, string] {
  const fresh = (text: string) =>
    new Map(
      parseQuestions(text).flatMap((q) =>
        q.number === undefined || known.has(identity(q)) ? [] : [[q.number, q] as const],
      ),
    )
  const [mine, yours] = [fresh(ours), fresh(theirs)]
  const next = numbersAfter([...parseQuestions(ours), ...parseQuestions(theirs)].map((q) => q.number ?? 0))
  const texts: [string, string] = [ours, theirs]
  for (const [number, my] of [...mine].sort(([a], [b]) => a - b)) {
    const your = yours.get(number)
    if (your === undefined || your.body === my.body) continue
    const loser = published || my.body < your.body ? 1 : 0
    texts[loser] = withNumber(texts[loser], [my, your][loser]!, next())
  }
  return texts
}

function withNumber(text: string, question: Question, number: number): string {
  const lines = text.split('\n')
  lines[question.from] = lines[question.from]!.replace(/\[Q0*[0-9]+\]/, `[Q${number}]`)
  return lines.join('\n')
}

/** The number of the decision that answers each question; undefined for an open one. */
const answersOf = (text: string): ReadonlyMap<string, number | undefined> =>
  new Map(parseQuestions(text).map((q) => [identity(q), q.resolvedBy?.decision]))

/** Questions that have an open entry in `text` although the base answers them, and `other` answers them as the base does. */
function takenBack(answers: ReadonlyMap<string, number | undefined>, text: string, other: string): string[] {
  const theirs = answersOf(other)
  return [...answersOf(text)].flatMap(([question, answer]) => {
    const before = answers.get(question)
    return before !== undefined && answer === undefined && theirs.get(question) === before ? [question] : []
  })
}

/** `text` without those entries of the base that the other side has resolved, removed or reopened. */
function withoutClosed(
  text: string,
  other: string,
  { known, reopened }: { known: ReadonlySet<string>; reopened: ReadonlySet<string> },
): string {
  const answered = new Map(parseQuestions(other).map((q) => [identity(q), q.resolvedBy !== undefined]))
  const closed = parseQuestions(text).filter((q) => {
    if (reopened.has(identity(q))) return q.resolvedBy !== undefined
    return q.resolvedBy === undefined && (answered.get(identity(q)) ?? known.has(identity(q)))
  })
  return without(text, closed)
}

/** If both sides resolved a question with different decisions, the lower number wins and this is reported. */
function settleDoubleAnswers(left: string, right: string): MergedText {
  const answers = new Map(parseQuestions(left).map((q) => [identity(q), q]))
  const twice = parseQuestions(right).filter((q) => q.resolvedBy !== undefined && isOther(answers.get(identity(q)), q))
  const conflicts = twice.map((q) => {
    const decisions = [q.resolvedBy!.decision, answers.get(identity(q))!.resolvedBy!.decision].sort((a, b) => a - b)
    return `${q.id} was resolved by D${decisions[0]} on one branch and by D${decisions[1]} on the other; D${decisions[0]} stands`
  })
  const lines = right.split('\n')
  for (const q of twice) {
    const mine = answers.get(identity(q))!
    if (mine.resolvedBy!.decision < q.resolvedBy!.decision) lines[q.from] = left.split('\n')[mine.from]!
  }
  return { text: lines.join('\n'), conflicts }
}

const isOther = (mine: Question | undefined, yours: Question): boolean =>
  mine?.resolvedBy !== undefined && mine.resolvedBy.decision !== yours.resolvedBy!.decision

function without(text: string, questions: readonly Question[]): string {
  const gone = new Set(questions.flatMap((q) => Array.from({ length: q.to - q.from + 1 }, (_, i) => q.from + i)))
  return text
    .split('\n')
    .filter((_, i) => !gone.has(i))
    .join('\n')
}

// Keeps an entry in one piece: its continuation lines do not count as lines while lists are merged.
const fold = (text: string): string => text.replace(/\n(?= {2}\S)/g, JOINT)
const unfold = (text: string): string => text.replaceAll(JOINT, '\n').replace(/\n{3,}/g, '\n\n')
const JOINT = '\u0001'
