import { ellipsis } from '../../../kernel/domain/text.ts'
import { TURN } from '../../../retrieval/domain/chunking/chunk-conversation.ts'

/** Scores short texts by their relevance to the query, in no particular unit. */
export type WorthOf = (texts: readonly string[]) => Promise<readonly number[]>

// A question repeats the words of the query, and rarely contains the answer.
const WORTH_OF_ASKED = 0.7
const LONGEST_ASKED = 120

/**
 * Snippet of some lines of a session file: the best sentences, under the question they answer, without headings and
 * facts, which a hit would otherwise show instead of the answer. `reply` is the user's next message: it is added if it
 * follows the best sentence and is substantial.
 */
export async function exchangeSnippet(
  { text, title, reply = '' }: { readonly text: string; readonly title: string; readonly reply?: string },
  worthOf: WorthOf,
  longest: number,
): Promise<string> {
  const all = sentencesIn(text)
  // The first question is usually the title, which a hit shows already.
  const others = all.filter((one) => one.speaker !== 'User' || !folded(title).includes(folded(one.text)))
  const said = others.length === 0 ? all : others
  if (said.length === 0) return ''
  const worth = (await worthOf(said.map((one) => one.text))).map((one, at) =>
    said[at]!.speaker === 'User' ? one * WORTH_OF_ASKED : one,
  )
  const questionOf = (exchange: number): Sentence | undefined =>
    said.find((one) => one.speaker === 'User' && one.exchange === exchange)
  const turns: string[] = []
  let before: (Sentence & { readonly place: number }) | undefined
  for (const place of chooseSentences(said, worth, longest)) {
    const one = said[place]!
    const question = one.exchange === before?.exchange ? undefined : questionOf(one.exchange)
    if (question !== undefined && question !== one) turns.push(`User: ${ellipsis(question.text, LONGEST_ASKED)}`)
    if (before?.exchange !== one.exchange || before.speaker !== one.speaker)
      turns.push(one.speaker === undefined ? one.text : `${one.speaker}: ${one.text}`)
    else
      turns.push(`${turns.pop()}${place > before.place + 1 ? ' … ' : before.line === one.line ? ' ' : '\n'}${one.text}`)
    before = { ...one, place }
  }
  const best = said[worth.indexOf(Math.max(...worth))]!
  const time = best.at?.slice(0, 16).replace('T', ' ')
  const shown = ellipsis(
    [time, turns.join('\n')].filter((part) => part !== undefined).join(' '),
    longest + LONGEST_ASKED,
  )
  return best.exchange === said.at(-1)!.exchange && settles(reply)
    ? `${shown}\nUser: ${ellipsis(reply.replace(/\s+/g, ' ').trim(), LONGEST_ASKED)}`
    : shown
}

const SHORT = 30

/** Whether a reply is substantial: not "ok go ahead", and not another question. */
const settles = (text: string): boolean => text.length >= SHORT && !text.trimEnd().endsWith('?')

/** Used to compare wordings, ignoring whitespace and case. */
export const folded = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

interface Sentence {
  /** Undefined for lines that begin in the middle of a turn. */
  readonly speaker: string | undefined
  readonly at: string | undefined
  /** Number of the exchange: a user turn and the turns up to the next one. */
  readonly exchange: number
  readonly line: number
  readonly text: string
}

function sentencesIn(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let [speaker, at, exchange, isAmongFacts] = [
    undefined as string | undefined,
    undefined as string | undefined,
    0,
    false,
  ]
  for (const [number, line] of withoutHead(text.split('\n')).entries()) {
    const next = TURN.exec(line)?.[1]
    if (next !== undefined) {
      ;[speaker, at, isAmongFacts] = [next, undefined, true]
      if (next === 'User') exchange++
      continue
    }
    isAmongFacts &&= line.startsWith('> ')
    at ??= isAmongFacts ? /^> at: (\S+)/.exec(line)?.[1] : undefined
    // Tool calls are the agent's actions; other facts describe the turn.
    if (line.trim() === '' || (isAmongFacts && !line.startsWith('> tool '))) continue
    const shown = isAmongFacts ? line.slice(2) : line.trimEnd()
    for (const sentence of isAmongFacts ? [shown] : shown.split(/(?<=[^.]{12}[.!?])\s+(?=[\p{Lu}\p{N}`"'(])/u))
      sentences.push({ speaker, at, exchange, line: number, text: sentence })
  }
  return sentences
}

/** Without the frontmatter and the title, which a hit shows already. */
function withoutHead(lines: readonly string[]): readonly string[] {
  const body = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
  return lines.slice(body).filter((line, at) => !(at < 2 && line.startsWith('# ')))
}

// A sentence next to a chosen one continues it.
const BESIDE = 0.1

/** Indexes of the best sentences that fit, in their order. */
function chooseSentences(said: readonly Sentence[], worth: readonly number[], longest: number): number[] {
  const chosen = new Set<number>()
  let left = longest
  for (;;) {
    let best = -1
    let most = 0
    for (const [at, { text }] of said.entries()) {
      const own = worth[at]! + (chosen.has(at - 1) || chosen.has(at + 1) ? BESIDE : 0)
      if (!chosen.has(at) && own >= most && (text.length < left || chosen.size === 0)) [best, most] = [at, own]
    }
    if (best === -1) return [...chosen].sort((a, b) => a - b)
    chosen.add(best)
    left -= said[best]!.text.length + 3
  }
}
