import { BUDGET, beginning, count, ending, fitting } from '../../kernel/domain/answer-budget.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { type AnswerTrust, overallTrust, trustMark } from '../../kernel/domain/trust/trust.ts'
import { type CatalogueEntry, byNumber, unreadableLine } from './decision/catalogue.ts'
import { PROJECT, QUESTIONS, STACK, STATE, STATE_HISTORY, decisionPath } from './files.ts'
import { type Question, openQuestions } from './question.ts'
import { projectBody } from './scaffold.ts'
import { stackNames, stackOutline, stateBody } from './state.ts'

export type Level = 'L0' | 'L1' | 'L2'

/** Input of a level. Decision texts are fetched only for the levels that show them. */
export interface ContextInput {
  readonly project: string
  readonly state: string
  readonly history: string
  readonly stack: string
  readonly questions: string
  readonly decisions: readonly CatalogueEntry[]
  /** Number of unreadable decision files. */
  readonly unreadable: number
  text(stem: string): Promise<string>
}

const L0 = { questions: 3, decisions: 10 }
const L1 = { questions: 10, full: 10, listed: 10 }
const LONGEST_ENTRY = 480
const STACK_NOTE = '*Reported by agents and people; a decision is what binds.*'
export const NOTHING_YET =
  'No decisions are recorded yet. When a choice is made, record it, with the alternatives that were turned down.'

/** One level as text. Each level has a budget; entries that do not fit are counted, with a pointer to them. */
export async function buildContext(level: Level, input: ContextInput): Promise<string> {
  const sections = level === 'L0' ? concise(input) : level === 'L1' ? await workingSet(input) : await everything(input)
  return [...sections, unreadableLine(input.unreadable)].filter((section) => section !== '').join('\n\n')
}

/** Overall trust of the decisions that a level may show. */
export const contextTrust = (level: Level, decisions: readonly CatalogueEntry[]): AnswerTrust =>
  overallTrust(decisions.filter((d) => level === 'L2' || d.status === 'active').map((d) => d.trust))

function concise(input: ContextInput): string[] {
  const budget = BUDGET.L0
  const all = active(input)
  const recent = all.slice(0, L0.decisions)
  const names = stackNames(input.stack)
  const more = all.length - recent.length
  return [
    cut(projectBody(input.project), budget / 4, PROJECT),
    titled('## Current State', cut(stateBody(input.state), budget / 4, STATE)),
    names.length === 0 ? '' : `**Stack:** ${cut(names.join(', '), budget / 16, STACK)}`,
    questionList(input.questions, L0.questions),
    recent.length === 0
      ? NOTHING_YET
      : titled('## Recent Decisions', [...recent.map(line), ...(more > 0 ? [moreDecisions(more)] : [])].join('\n')),
  ]
}

async function workingSet(input: ContextInput): Promise<string[]> {
  const budget = BUDGET.L1
  const newest = active(input)
  const full = await textsWithin(input, newest.slice(0, L1.full), budget / 2)
  const earlier = newest.slice(full.length, full.length + L1.listed)
  const more = newest.length - full.length - earlier.length
  return [
    cut(input.project.trim(), budget / 8, PROJECT),
    cut(input.state.trim(), budget / 8, STATE),
    titled('## Stack', [STACK_NOTE, stackOutline(input.stack)].filter((part) => part !== '').join('\n\n')),
    questionList(input.questions, L1.questions),
    newest.length === 0 ? NOTHING_YET : titled('## Decisions', full.join(BETWEEN)),
    titled('## Earlier Decisions', [...earlier.map(line), ...(more > 0 ? [moreDecisions(more)] : [])].join('\n')),
  ]
}

async function everything(input: ContextInput): Promise<string[]> {
  const budget = BUDGET.L2
  const newest = [...input.decisions].sort((a, b) => byNumber(b, a))
  const full = await textsWithin(input, newest, (budget * 7) / 16)
  const earlier = fitting(newest.slice(full.length), budget / 8, (entry) => line(entry).length)
  const more = newest.length - full.length - earlier.length
  return [
    cut(input.project.trim(), budget / 16, PROJECT),
    cut(input.state.trim(), budget / 16, STATE),
    titled('# State History', cutEnd(input.history.trim(), budget / 16, STATE_HISTORY)),
    titled(STACK_NOTE, cut(input.stack.trim(), budget / 16, STACK)),
    cut(input.questions.trim(), budget / 16, QUESTIONS),
    newest.length === 0 ? NOTHING_YET : titled('## All Decisions', full.toReversed().join(BETWEEN)),
    titled('## Earlier Decisions', [...earlier.map(line), ...(more > 0 ? [moreDecisions(more)] : [])].join('\n')),
  ]
}

const BETWEEN = '\n\n---\n\n'

/** Full texts in the order given, while they fit. One that exceeds the whole budget is truncated. */
async function textsWithin(input: ContextInput, entries: readonly CatalogueEntry[], budget: number): Promise<string[]> {
  const texts: string[] = []
  let left = budget
  for (const entry of entries) {
    const text = (await marked(input, entry)).trim()
    if (text.length > left && texts.length > 0) break
    texts.push(cut(text, left, decisionPath(entry.stem)))
    left -= text.length + BETWEEN.length
  }
  return texts
}

const cut = (text: string, budget: number, path: string): string => {
  const { text: shown, left } = beginning(text, budget)
  return left === 0 ? shown : `${shown}\n\n(+${count(left)} characters in ${path}: get_raw_file reads it)`
}

const cutEnd = (text: string, budget: number, path: string): string => {
  const { text: shown, left } = ending(text, budget)
  return left === 0 ? shown : `(${count(left)} older characters in ${path}: get_raw_file reads it)\n\n${shown}`
}

const moreDecisions = (more: number): string =>
  `(+${count(more)} more: list_decisions lists them, get_decision reads one)`

function questionList(text: string, most: number): string {
  const open = openQuestions(text)
  if (open.length === 0) return ''
  const rest = open.length - most
  const shown = open
    .slice(0, most)
    .map(
      (q: Question) =>
        `- [${q.id}] ${ellipsis(q.body.slice(0, 4 * LONGEST_ENTRY).replace(/\s*\n\s*/g, ' '), LONGEST_ENTRY)}`,
    )
  return titled(
    '## Open Questions',
    [...shown, ...(rest > 0 ? [`(+${plural(rest, 'more question')} in open-questions.md)`] : [])].join('\n'),
  )
}

const active = (input: ContextInput): CatalogueEntry[] =>
  input.decisions.filter((d) => d.status === 'active').sort((a, b) => byNumber(b, a))
const line = (entry: CatalogueEntry): string =>
  `- D${entry.num} — ${entry.title} (${entry.date})${trustMark(entry.trust)}`
const marked = async (input: ContextInput, entry: CatalogueEntry): Promise<string> =>
  [trustMark(entry.trust).trim(), await input.text(entry.stem)].filter((part) => part !== '').join('\n')
const titled = (heading: string, body: string): string => (body.trim() === '' ? '' : `${heading}\n\n${body}`)
