import { type CatalogueEntry, byNumber } from '../decision/catalogue.ts'
import { type Question, openQuestions } from '../question/question.ts'
import { projectBody } from '../record/scaffold.ts'
import { stackNames, stackOutline, stateBody } from '../state/state.ts'
import { ellipsis, plural } from '../text.ts'
import { type AnswerTrust, overallTrust, trustMark } from '../trust/trust.ts'

export type Level = 'L0' | 'L1' | 'L2'

/** What a level is built from. Decision texts are fetched only for the levels that show them. */
export interface ContextInput {
  readonly project: string
  readonly state: string
  readonly history: string
  readonly stack: string
  readonly questions: string
  readonly decisions: readonly CatalogueEntry[]
  text(stem: string): Promise<string>
}

const L0 = { questions: 3, decisions: 10 }
const L1 = { questions: 10, full: 10, listed: 10 }
const LONGEST_ENTRY = 480
const STACK_NOTE = '*Reported by agents and people; a decision is what binds.*'
const NOTHING_YET =
  'No decisions are recorded yet. When a choice is made, record it, with the alternatives that were turned down.'

export async function buildContext(level: Level, input: ContextInput): Promise<string> {
  const sections = level === 'L0' ? concise(input) : level === 'L1' ? await workingSet(input) : await everything(input)
  return sections.filter((section) => section !== '').join('\n\n')
}

/** Of the decisions that a level may show. */
export const contextTrust = (level: Level, decisions: readonly CatalogueEntry[]): AnswerTrust =>
  overallTrust(decisions.filter((d) => level === 'L2' || d.status === 'active').map((d) => d.trust))

function concise(input: ContextInput): string[] {
  const recent = active(input).slice(0, L0.decisions)
  const names = stackNames(input.stack)
  return [
    projectBody(input.project),
    titled('## Current State', stateBody(input.state)),
    names.length === 0 ? '' : `**Stack:** ${names.join(', ')}`,
    questionList(input.questions, L0.questions),
    recent.length === 0 ? NOTHING_YET : titled('## Recent Decisions', recent.map(line).join('\n')),
  ]
}

async function workingSet(input: ContextInput): Promise<string[]> {
  const newest = active(input)
  const full = await Promise.all(newest.slice(0, L1.full).map((entry) => marked(input, entry)))
  const earlier = newest.slice(L1.full, L1.full + L1.listed)
  return [
    input.project.trim(),
    input.state.trim(),
    titled('## Stack', [STACK_NOTE, stackOutline(input.stack)].filter((part) => part !== '').join('\n\n')),
    questionList(input.questions, L1.questions),
    full.length === 0 ? NOTHING_YET : titled('## Decisions', full.map((text) => text.trim()).join('\n\n---\n\n')),
    titled('## Earlier Decisions', earlier.map(line).join('\n')),
  ]
}

async function everything(input: ContextInput): Promise<string[]> {
  const texts = await Promise.all([...input.decisions].sort(byNumber).map((entry) => marked(input, entry)))
  return [
    input.project.trim(),
    input.state.trim(),
    titled('# State History', input.history.trim()),
    titled(STACK_NOTE, input.stack.trim()),
    input.questions.trim(),
    texts.length === 0 ? NOTHING_YET : titled('## All Decisions', texts.map((text) => text.trim()).join('\n\n---\n\n')),
  ]
}

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
