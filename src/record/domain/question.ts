import { numbersAfter } from './decision/decision-id.ts'
import { QUESTIONS } from './files.ts'

/** One entry of open-questions.md. */
export interface Question {
  /** Not zero-padded; undefined for legacy entries that have a time instead. */
  readonly number: number | undefined
  readonly id: string
  readonly body: string
  readonly resolvedBy: { readonly decision: number; readonly date: string } | undefined
  /** The time of a legacy entry, `YYYY-MM-DD HH:MM UTC`. */
  readonly loggedAt: string | undefined
  /** First and last line, 0-based. */
  readonly from: number
  readonly to: number
}

const ENTRY =
  /^- (?:\[Resolved by D(\d+) on (\d{4}-\d{2}-\d{2})\] )?\[(?:Q(\d+)|(\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC))\] ?(.*)$/
const DIVIDER = /^## .*\bresolved\b/i
const POINTER = /^(?:BRIEF|RESUME|SELECT):/

export function parseQuestions(text: string): Question[] {
  const lines = text.split('\n')
  const questions: Question[] = []
  for (let i = 0; i < lines.length; i++) {
    const match = ENTRY.exec(stripReturn(lines[i]!))
    if (match === null) continue
    const from = i
    while (i + 1 < lines.length && lines[i + 1]!.startsWith('  ') && lines[i + 1]!.trim() !== '') i++
    questions.push(toQuestion(match, lines, from, i))
  }
  return questions
}

/** True for a pointer to a brief, which is in the same file but is not a question. */
export const isPointer = (question: { readonly body: string }): boolean => POINTER.test(question.body)

export const openQuestions = (text: string): Question[] =>
  parseQuestions(text).filter((q) => q.resolvedBy === undefined && !isPointer(q))

/** `Q7`, `q007`, `7` → 7; undefined for anything else. */
export function questionNumber(id: string): number | undefined {
  const digits = /^\s*[Qq]?0*([1-9][0-9]{0,8})\s*$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export const nextQuestionNumber = (text: string): number =>
  numbersAfter(parseQuestions(text).map(({ number }) => number ?? 0))()

/** Puts a question on top of the list, newest first, below the heading and its comments. */
export function addQuestion(text: string, number: number, body: string): string {
  const lines = (text === '' ? '# Open Questions\n' : text).split('\n')
  const heading = lines.findIndex((line) => line.startsWith('# '))
  let at = heading + 1
  while (at < lines.length && (lines[at]!.trim() === '' || lines[at]!.startsWith('<!--'))) at++
  const entry = `- [Q${number}] ${body.split(/\r?\n/).join('\n  ')}`
  const before = lines.slice(0, at)
  if (before.at(-1)?.trim() !== '') before.push('')
  const after = lines.slice(at)
  return [...before, entry, ...(after.length === 0 ? [''] : after)].join('\n')
}

/**
 * Stamps questions as resolved and moves their entries under `## Resolved`; an entry with prose attached is not moved.
 */
export function resolveQuestions(
  text: string,
  numbers: ReadonlySet<number>,
  decision: number,
  date: string,
): { text: string; moved: number[]; left: number[] } {
  const lines = text.split('\n')
  for (const q of parseQuestions(text)) {
    if (q.number === undefined || !numbers.has(q.number) || q.resolvedBy !== undefined) continue
    lines[q.from] = lines[q.from]!.replace(/^- /, `- [Resolved by D${decision} on ${date}] `)
  }
  return moveResolved(lines.join('\n'))
}

/** Removes a question that no decision answers. */
export function removeQuestion(text: string, id: string): string {
  const gone = new Set(parseQuestions(text).flatMap((q) => (q.id === id ? range(q.from, q.to) : [])))
  const lines = text.split('\n').filter((_, i) => !gone.has(i))
  return squeezeBlank(lines).join('\n')
}

function moveResolved(text: string): { text: string; moved: number[]; left: number[] } {
  const lines = text.split('\n')
  const divider = lines.findIndex((line) => DIVIDER.test(line) && !/\bunresolved\b/i.test(line))
  const stamped = parseQuestions(text).filter((q) => q.resolvedBy !== undefined && (divider < 0 || q.from < divider))
  const free = stamped.filter((q) => isFree(lines, q))
  const left = stamped.filter((q) => !free.includes(q))
  if (free.length === 0) return { text, moved: [], left: numbersOf(left) }

  const gone = new Set(free.flatMap((q) => range(q.from, q.to)))
  const entries = free.flatMap((q) => ['', ...lines.slice(q.from, q.to + 1)])
  const kept = lines.map((line, i) => ({ line, i })).filter(({ i }) => !gone.has(i))
  const at = divider < 0 ? -1 : kept.findIndex(({ i }) => i === divider)
  const remaining = kept.map(({ line }) => line)
  const result =
    at < 0
      ? [...trimmedEnd(remaining), '', '## Resolved', ...entries, '']
      : [...remaining.slice(0, at + 1), ...entries, ...remaining.slice(at + 1)]
  return { text: squeezeBlank(result).join('\n'), moved: numbersOf(free), left: numbersOf(left) }
}

/** True if only blank lines follow up to the next entry or heading, so that moving the entry separates nothing. */
function isFree(lines: readonly string[], question: Question): boolean {
  for (let i = question.to + 1; i < lines.length; i++) {
    const line = lines[i]!.trim()
    if (line === '') continue
    return line.startsWith('- [') || line.startsWith('#')
  }
  return true
}

function toQuestion(match: RegExpExecArray, lines: readonly string[], from: number, to: number): Question {
  const [, decision, date, q, loggedAt, first] = match
  const rest = lines.slice(from + 1, to + 1).map((line) => stripReturn(line).slice(2))
  return {
    number: q === undefined ? undefined : Number(q),
    id: q === undefined ? loggedAt! : `Q${Number(q)}`,
    body: [first!, ...rest].join('\n'),
    resolvedBy: decision === undefined ? undefined : { decision: Number(decision), date: date! },
    loggedAt,
    from,
    to,
  }
}

const numbersOf = (questions: readonly Question[]): number[] => questions.flatMap((q) => q.number ?? [])
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const stripReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

function trimmedEnd(lines: readonly string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== '')
  return lines.slice(0, end + 1)
}

/** Collapses consecutive blank lines, which moving entries leaves behind. */
const squeezeBlank = (lines: readonly string[]): string[] =>
  lines.filter((line, i) => line !== '' || lines[i - 1] !== '' || i === lines.length - 1)

/** Assigns every legacy entry a Q number, lowest at the end of the file (oldest), and keeps its time in the text. */
export function migrateQuestions(text: string): { text: string; migrated: string[] } {
  const lines = text.split('\n')
  const legacy = parseQuestions(text).filter((q) => q.number === undefined)
  const first = nextQuestionNumber(text)
  const migrated: string[] = []
  for (const [i, question] of legacy.toReversed().entries()) {
    const id = `Q${first + i}`
    migrated.push(id)
    lines[question.from] = lines[question.from]!.replace(`[${question.loggedAt}]`, `[${id}]`)
    lines[question.to] = `${lines[question.to]!.trimEnd()} (logged ${question.loggedAt})`
  }
  return { text: lines.join('\n'), migrated }
}

const MOST_NAMED = 10

function openOnes(text: string): string {
  const ids = openQuestions(text).map(({ id }) => id)
  if (ids.length === 0) return ' None is open.'
  const rest = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : ''
  return ` Open: ${ids.slice(0, MOST_NAMED).join(', ')}${rest}.`
}

/** Checks that every target is exactly one known question, then stamps and moves them. */
export function stampQuestions(
  text: string,
  targets: readonly string[],
  decision: number,
  now: Date,
): { text: string; ids: string[] } | { fault: string } {
  const known = parseQuestions(text)
  const numbers = targets.map(questionNumber)
  for (const [i, target] of targets.entries()) {
    const matches = known.filter((q) => q.number !== undefined && q.number === numbers[i])
    if (matches.length === 0) return { fault: `There is no question ${target}.${openOnes(text)}` }
    if (matches.length > 1)
      return { fault: `Question ${target} appears more than once in ${QUESTIONS}; fix the file first.` }
  }
  const wanted = new Set(numbers as number[])
  const { text: resolved } = resolveQuestions(text, wanted, decision, now.toISOString().slice(0, 10))
  return { text: resolved, ids: [...wanted].map((n) => `Q${n}`) }
}
