import { z } from 'zod'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { FACT_KINDS, type SessionFact, type SessionFacts } from '../domain/session/facts.ts'

export const factRow = z.object({
  kind: z.enum(FACT_KINDS),
  what: z.string().describe('A path, command line, commit subject, branch or package.'),
  ok: z.boolean().nullable(),
  turn: z.number(),
  at: z.string(),
  files: z.array(z.string()).optional().describe('For tests that failed and then passed: the changes in between.'),
})

export const factsOfSession = z.object({
  first_ask: z.object({ text: z.string(), turn: z.number() }).optional(),
  facts: z.array(factRow),
  left_out: z.number().optional().describe('Facts beyond the limit.'),
  ended: z.enum(['answered', 'interrupted', 'unanswered']),
  minutes: z.number().describe('From its first to its last message, with pauses.'),
})

const LONGEST_ASK = 300
const MOST_FACTS = 500

export const toFactRow = ({ kind, what, ok, turn, at, files }: SessionFact): z.output<typeof factRow> => ({
  kind,
  what,
  ok,
  turn,
  at,
  ...(files !== undefined && { files: [...files] }),
})

export function toFacts(
  { firstAsk, facts, ended }: SessionFacts,
  times: { readonly started: string; readonly ended: string },
): z.output<typeof factsOfSession> {
  return {
    ...(firstAsk && {
      first_ask: { text: ellipsis(firstAsk.text.replace(/\s+/g, ' '), LONGEST_ASK), turn: firstAsk.turn },
    }),
    facts: facts.slice(0, MOST_FACTS).map(toFactRow),
    ...(facts.length > MOST_FACTS && { left_out: facts.length - MOST_FACTS }),
    ended,
    minutes: Math.max(0, Math.round((Date.parse(times.ended) - Date.parse(times.started)) / 60_000)),
  }
}

const MOST_NAMED = 6

/** Facts, one line per kind; each with its turn if `turns` is set. */
export function factLines(
  { facts, left_out: leftOut }: Pick<z.output<typeof factsOfSession>, 'facts' | 'left_out'>,
  { view = PLAIN, turns = true }: { readonly view?: View; readonly turns?: boolean } = {},
): string[] {
  const failed = facts.filter(({ kind, ok }) => kind === 'command' && ok === false)
  const commands = facts.filter(({ kind }) => kind === 'command').length
  const shown = (some: readonly z.output<typeof factRow>[]): string => {
    const last = new Map(some.map((one) => [one.what, one]))
    const names = [...last.values()].slice(-MOST_NAMED)
    const rest = last.size - names.length
    const named = names.map(({ what, turn }) => (turns ? `${what} ${view.mark('dim', `(${turn})`)}` : what)).join(', ')
    return rest > 0 ? `${named} and ${rest} more` : named
  }
  const of = (kind: SessionFact['kind']) => facts.filter((one) => one.kind === kind)
  const rows: readonly (readonly [string, readonly z.output<typeof factRow>[]])[] = [
    ['Changed', of('changed')],
    ['Read', of('read')],
    ['Committed', of('commit').map((one) => ({ ...one, what: one.what || '(no message on the command line)' }))],
    ['Branches', of('branch')],
    ['Added', of('added')],
    ['Removed', of('removed')],
    ['Fixed', of('tests')],
    ['Failed', failed],
  ]
  return [
    ...rows.flatMap(([label, some]) => (some.length === 0 ? [] : [`${label}: ${shown(some)}`])),
    ...(commands > 0 ? [`Commands: ${commands}, ${failed.length} failed`] : []),
    ...(leftOut === undefined ? [] : [view.mark('dim', `(${plural(leftOut, 'more fact')} not shown)`)]),
  ]
}
