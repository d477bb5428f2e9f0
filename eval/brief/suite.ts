import { cpSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { recordSources } from '../../src/record/brief-record.ts'
import { isAskedAbout } from '../own-sets.ts'
import { readConversations, type Conversation } from './conversations.ts'
import { openBriefDesk, openConversationDesk, type BriefDesk } from './desk.ts'
import { OWN_QUESTIONS } from './own-questions.ts'
import { BUDGETS, bm25Order, fillUp, halfOf, newestFirst, openTally, shareKept, type BriefRow } from './score.ts'

export interface BriefSuiteOptions {
  /** Folder of labelled sets; LoCoMo is skipped if it is missing. */
  readonly data: string | undefined
  /** Every nth question of each conversation. */
  readonly every: number
  say(line: string): void
}

/** LoCoMo: each conversation in a separate home, every question put to `ken brief --for` at every budget. */
export async function runConversations({ data, every, say }: BriefSuiteOptions): Promise<BriefRow[]> {
  const conversations = data === undefined ? undefined : readConversations(data)
  if (conversations === undefined) {
    say(`LoCoMo is not there${data === undefined ? '' : ` in ${data}`}: name the folder of labelled sets with --data.`)
    return []
  }
  const tally = openTally('LoCoMo')
  for (const [at, conversation] of conversations.entries()) {
    const since = performance.now()
    const asked = await measure(conversation, tally, every)
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

const OWN_RECORD = join(import.meta.dirname, '..', '..', '.ken')
const DECISIONS = join(OWN_RECORD, 'record', 'decisions')
const EVERYTHING = 200_000

/** A desk with a copy of this repository's own record as it stood when the questions were written. */
function openOwnDesk(): BriefDesk {
  const desk = openBriefDesk()
  cpSync(OWN_RECORD, join(desk.folder, '.ken'), {
    recursive: true,
    filter: (path) => dirname(path) !== DECISIONS || isAskedAbout(basename(path)),
  })
  return desk
}

/** Runs the questions of own-questions.ts on this repository's own record. */
export async function runOwnRecord(): Promise<BriefRow[]> {
  const desk = openOwnDesk()
  const tally = openTally('own record')
  try {
    const lines = await recordLines(desk)
    const order = newestFirst(lines)
    for (const [question, ...facts] of OWN_QUESTIONS) {
      const missing = facts.filter((fact) => shareKept(lines.join('\n'), [fact]) === 0)
      if (missing.length > 0) throw new Error(`the record does not say "${missing[0]}"`)
      const half = halfOf(question)
      const orders = { 'newest first': order, BM25: bm25Order(lines, question) }
      for (const budget of BUDGETS) {
        const { content } = await desk.brief({ budget, for: question })
        tally.add('brief', budget, half, content, shareKept(content, facts))
        for (const system of ['newest first', 'BM25'] as const) {
          const text = fillUp(lines, orders[system], budget)
          tally.add(system, budget, half, text, shareKept(text, facts))
        }
      }
    }
    return tally.rows()
  } finally {
    await desk.close()
  }
}

/** Everything a brief could include from the record, oldest decision first, each line with its source. */
async function recordLines(desk: BriefDesk): Promise<string[]> {
  const sources = await recordSources(await desk.record(), { full: Number.POSITIVE_INFINITY })
  const lines = sources.flatMap(({ head, lines: own }) => [
    ...(head?.isFact === true ? [{ source: head.source, text: head.text }] : []),
    ...own,
  ])
  const numberOf = (source: string): number => Number(/^D(\d+)$/.exec(source)?.[1] ?? 0)
  return lines
    .map(({ source, text }, at) => ({ source, text, at }))
    .toSorted((a, b) => numberOf(a.source) - numberOf(b.source) || a.at - b.at)
    .map(({ source, text }) => `${source} ${text}`)
}

const STATE_LINES = [
  'Imports of old records work; the page that shows them is half done.',
  'The release waits for the signed builds of macOS.',
  'Search is twice as slow on Windows as elsewhere, and nobody knows why yet.',
  'Next: measure the start of the server with two hundred projects.',
  'Next: let people choose the language of the reports.',
  'The nightly job fails about once a week when the mirror is late.',
  'Billing was switched to the new provider in October.',
  'Next: delete the old export once nobody has called it for a month.',
]
const QUESTIONS = [
  'Do we keep the tables of customers who left?',
  'Who pays for the traffic of the mirror?',
  'May the reports be public by default?',
  'Which of the two logos goes on the invoice?',
  'Do we still need the Portuguese texts?',
  'How long may a login last?',
  'Is a week of logs enough for the auditors?',
  'Should the mobile app work without a network?',
]

/** Without a question: the share of the state, the open questions and the newest decisions that a brief contains. */
export async function runOpening(): Promise<BriefRow[]> {
  const desk = openOwnDesk()
  try {
    // The copied record has no open questions, as that of an inactive project.
    for (const line of STATE_LINES) await desk.run('update_state', { add: line })
    for (const question of QUESTIONS) await desk.run('flag_question', { question })
    const rows: BriefRow[] = []
    const { lines } = await desk.brief({ budget: EVERYTHING })
    const parts = {
      'state lines': lines.filter(({ source }) => source.startsWith('state_current.md')),
      'open questions': lines.filter(({ source }) => /^Q\d/.test(source)),
      'ten newest decisions': newestDecisions(lines),
    }
    for (const budget of BUDGETS) {
      const { content, tokens } = await desk.brief({ budget })
      for (const [name, own] of Object.entries(parts)) {
        if (own.length === 0) continue
        const kept = shareKept(
          content,
          own.map(({ text }) => text),
        )
        rows.push({ set: name, budget, system: 'brief', half: 'all', questions: own.length, kept, tokens })
      }
    }
    return rows
  } finally {
    await desk.close()
  }
}

/** Returns the first line of each of the ten newest decisions: the decision itself. */
function newestDecisions<T extends { readonly source: string }>(lines: readonly T[]): T[] {
  const first = new Map<string, T>()
  for (const line of lines) if (/^D\d/.test(line.source) && !first.has(line.source)) first.set(line.source, line)
  return [...first.values()].slice(0, 10)
}
