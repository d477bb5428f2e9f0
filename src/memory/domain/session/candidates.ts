import { sessionFacts } from './facts.ts'
import { ownWords } from './own-words.ts'
import { readOffer, type Offer } from './read-offer.ts'
import { isOpenEnd, isReversal, readReply, standingRule } from './read-reply.ts'
import type { SessionTurn } from './session-turns.ts'

/** Something that a user probably decided or left open, with the quote. A person confirms it. */
export interface Candidate {
  readonly kind: 'decision' | 'question'
  readonly title: string
  readonly rejected: readonly string[]
  /** The agent's offer, quoted; empty if there was none. */
  readonly context: string
  /** Quote of the user. */
  readonly quote: string
  /** 1-based turn of the quote. */
  readonly turn: number
  readonly at: string
  /** Files changed between this turn and the user's next message. */
  readonly files: readonly string[]
  /** Whether alternatives were offered and the user explicitly chose one. */
  readonly isStrong: boolean
}

const MOST_FILES = 20
/** Alternatives without an answer yet. */
const MOST_OPEN = 3

/**
 * Candidates of a session, in order. Only the user's words can be a decision; the agent's offer is context. Tool
 * results are not part of a turn, and quoted text does not count as the user's.
 */
export function findCandidates(turns: readonly SessionTurn[]): readonly Candidate[] {
  const { facts } = sessionFacts(turns)
  const found: Candidate[] = []
  let open: readonly Offer[] = []
  for (const [index, one] of turns.entries()) {
    if (one.role === 'assistant') found.push(...approvedPlan(one, index + 1))
    if (one.role !== 'user' || one.aborted) continue
    const said = ownWords(one.text)
    const before = turns[index - 1]
    // A plan is answered by approving it.
    const offer = before?.role === 'assistant' ? readOffer(before.text.split(PLAN_HEADING, 1)[0]!) : undefined
    if (isReversal(said)) {
      withdraw(found, said)
      if (!/\b(?:instead|use|go with|keep|back to)\b/i.test(said)) continue
    }
    const at = { turn: index + 1, at: one.at, quote: one.text.trim() }
    const files = filesFrom(facts, index + 1, turns)
    const reply = said === '' ? undefined : readReply(said, offer, open)
    if (reply !== undefined) found.push({ kind: 'decision', ...at, ...reply, files })
    else {
      const rule = standingRule(said)
      if (rule !== undefined)
        found.push({ kind: 'decision', ...at, title: rule, rejected: [], context: '', files, isStrong: false })
    }
    const end = isOpenEnd(said)
    if (end !== undefined)
      found.push({ kind: 'question', ...at, title: end, rejected: [], context: '', files: [], isStrong: false })
    if (reply !== undefined) open = []
    else
      open = [readOffer(said), ...(offer === undefined ? [] : [offer]), ...open]
        .filter((one) => one.isChoice)
        .slice(0, MOST_OPEN)
  }
  return distinct(found).filter((one, i, all) => !isProposed(one, turns, all[i + 1]?.turn))
}

const PROPOSES: Readonly<Record<Candidate['kind'], RegExp>> = {
  decision: /(?:^|[_./:-])propose_decision$/i,
  question: /(?:^|[_./:-])flag_question$/i,
}

/** Whether the agent recorded it in the session: if so, it is already a proposal pending review. */
const isProposed = ({ kind, turn }: Candidate, turns: readonly SessionTurn[], end = turns.length + 1): boolean =>
  turns
    .slice(turn - 1, Math.max(turn + 1, end - 1))
    .some(({ tools }) => tools.some(({ name, ok }) => ok === true && PROPOSES[kind].test(name)))

/** Heading that a harvester puts above a plan for which a client requests approval. */
export const PLAN_HEADING = 'Plan for approval:'
const LONGEST_PLAN = 1_200

/** A plan that the user approved in the client's own plan mode; the outcome of the call is theirs. */
function approvedPlan({ text, tools, at, aborted }: SessionTurn, turn: number): Candidate[] {
  if (aborted || !tools.some(({ name, ok }) => /^exit_?plan_?mode$/i.test(name) && ok === true)) return []
  const from = text.lastIndexOf(`${PLAN_HEADING}\n`)
  if (from < 0) return []
  const plan = text.slice(from + PLAN_HEADING.length, from + LONGEST_PLAN).trim()
  const lines = plan.split('\n').map((line) => line.replace(/^[\s#*-]+|^\s*\d+[.)]\s*/g, '').trim())
  const title = lines.find((line) => line !== '')
  if (title === undefined) return []
  const rejected = lines.flatMap((line) => /^(?:rejected )?alternatives?[^:]*:\s*(.+)$/i.exec(line)?.[1] ?? [])
  const isStrong = rejected.length > 0
  return [{ kind: 'decision', title, rejected, context: '', quote: plan, turn, at, files: [], isStrong }]
}

/** A reversal undoes the decision that shares the most words with it, or otherwise the last one. */
function withdraw(found: Candidate[], said: string): void {
  const words = new Set(said.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [])
  const shared = ({ title }: Candidate): number =>
    (title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter((word) => words.has(word)).length
  let at = found.findLastIndex(({ kind }) => kind === 'decision')
  for (const [i, one] of found.entries()) if (one.kind === 'decision' && shared(one) > shared(found[at]!)) at = i
  if (at >= 0) found.splice(at, 1)
}

function filesFrom(
  facts: ReturnType<typeof sessionFacts>['facts'],
  turn: number,
  turns: readonly SessionTurn[],
): string[] {
  const next = turns.findIndex(({ role }, i) => i >= turn && role === 'user')
  const end = next < 0 ? turns.length : next
  const changed = facts.filter(({ kind, turn: at }) => kind === 'changed' && at > turn && at <= end)
  return [...new Set(changed.map(({ what }) => what))]
    .filter((path) => !/^(?:[/~]|\.\.)/.test(path))
    .slice(0, MOST_FILES)
}

const distinct = (found: readonly Candidate[]): Candidate[] => {
  const byTitle = new Map<string, Candidate>()
  for (const one of found) byTitle.set(`${one.kind} ${one.title.toLowerCase()}`, one)
  return [...byTitle.values()]
}
