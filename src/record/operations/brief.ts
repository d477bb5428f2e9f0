import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed, operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { estimateTokens } from '../../kernel/domain/text/estimate-tokens.ts'
import { strictestTrust } from '../../kernel/domain/trust/trust.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { markMarkdown } from '../../kernel/domain/view/mark-markdown.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { unitsOf } from '../domain/brief/brief-source.ts'
import { RULES_HEADING } from '../domain/brief/lay-out-brief.ts'
import { packBrief } from '../domain/brief/pack-brief.ts'
import { unreadableLine } from '../domain/decision/catalogue.ts'
import type { Store } from '../ports/store.ts'
import { asOfField, asOfOf, asOfOutput, describeAsOf } from './as-of-field.ts'
import { gatherBrief } from './gather-brief.ts'

const DEFAULT_BUDGET = 2_000
const [LEAST, MOST] = [100, 200_000]
/** Tokens of the two tags that enclose an answer and name its origin. */
const ENVELOPE = 34

export const brief = defineOperation({
  name: 'brief',
  title: 'What an agent must know now',
  summary: 'What to know before a task, within a token budget: state, decisions, notes, sessions, tables.',
  searchHint: 'summary for a task, background within budget',
  forPeople: 'Print what an agent needs to know, within a token budget.',
  details:
    'Combines record, memory and compiled context, with the most useful lines per token first. Each line names its source and its trust; nothing is repeated, and superseded decisions are marked. Open a source with `ken show` and its id or path.',
  effect: 'read',
  words: 'brief',
  needs: ['analyst', 'context', 'memory', 'record'],
  onServer: {},
  isText: true,
  positional: ['for'],
  unlisted: ['as_of'],
  input: {
    budget: z
      .number()
      .int()
      .min(LEAST)
      .max(MOST)
      .default(DEFAULT_BUDGET)
      .meta(forPeople('Token budget; a token is about four characters.')),
    for: z
      .string()
      .max(20_000)
      .optional()
      .meta(forPeople('The task or question; default: what any agent needs at the start.')),
    ...asOfField,
    ...projectField,
  },
  output: {
    ...asOfOutput,
    content: z.string(),
    lines: z.array(z.object({ text: z.string(), source: z.string(), trust: z.string(), tokens: z.number() })),
    tokens: z.number(),
    left: z.record(z.string(), z.number()).describe('Lines that found no room, by kind.'),
    trust: z.string(),
    project: z.object({ id: z.string(), name: z.string() }).optional(),
    notes: z.array(z.string()),
  },
  examples: [
    { title: 'At session start', input: { budget: 1000 } },
    { title: 'For a task', input: { for: 'move sessions out of Redis', budget: 500 } },
  ],
  async run(ctx, input) {
    const question = input.for?.trim() || undefined
    const { store, note } = await recordOf(ctx, input)
    const until = store?.asOf === undefined ? undefined : Date.parse(store.asOf.at)
    const asked = { question, budget: input.budget, project: input.project_id, until }
    const { sources, notes } = await gatherBrief(ctx, asked, store)
    const embedder = question === undefined ? undefined : await ctx.bundledEmbedder()
    const embed = embedder && embedder.embed.bind(embedder)
    const units = await unitsOf(sources, question === undefined ? undefined : { question, embed, budget: input.budget })
    const unread = unreadableLine((await store?.catalogue())?.unreadable.length ?? 0)
    const said = [note, unread, ...notes].filter((line) => line !== '')
    const past = store === undefined ? {} : asOfOf(store)
    const beside = estimateTokens([describeAsOf(past), ...said].join('\n'))
    const packed = packBrief(units, Math.max(LEAST / 2, input.budget - ENVELOPE - beside))
    return {
      content: packed.content,
      lines: packed.lines.map((line) => ({ ...line })),
      tokens: packed.tokens,
      left: { ...packed.left },
      trust: strictestTrust(packed.lines.map(({ trust }) => trust)),
      ...(store !== undefined && { project: { id: store.project.id, name: store.project.name } }),
      notes: said,
      ...past,
    }
  },
  rules: ({ content }) => rulesApart(content).rules,
  own: ({ content, notes, left, as_of }, _input, view = PLAIN) =>
    [
      describeAsOf({ as_of }),
      ...notes,
      ...(content === '' ? [NOTHING] : []),
      ...(view.reader === 'person' && Object.keys(left).length > 0 ? [view.mark('dim', leftLine(left))] : []),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  render: ({ content }, _input, view = PLAIN) => markMarkdown(rulesApart(content).rest, view),
})

/**
 * Separates the user's rules, which are not third-party data and are placed before the envelope, as in get_context.
 * Only the first section can be rules, and no line of a brief contains a line end.
 */
function rulesApart(content: string): { readonly rules: string; readonly rest: string } {
  if (!content.startsWith(`${RULES_HEADING}\n`)) return { rules: '', rest: content }
  const end = content.indexOf('\n## ')
  return end < 0 ? { rules: content, rest: '' } : { rules: content.slice(0, end), rest: content.slice(end + 1) }
}

const NOTHING = `Nothing to brief yet: no state, decisions, notes or sessions. Add some with ${operationNamed('propose_decision')}, ${operationNamed('update_state')} or ${operationNamed('memory_write')}.`

/** A folder without a record still has a memory and a context; a lost record must not be mistaken for that. */
async function recordOf(
  ctx: Given<'record'>,
  { project_id: project, as_of: asOf }: { project_id?: string | undefined; as_of?: string | undefined },
): Promise<{ readonly store?: Store; readonly note: string }> {
  try {
    return { store: await ctx.record(project, { asOf }), note: '' }
  } catch (error) {
    if (!(error instanceof AppError) || project !== undefined || asOf !== undefined) throw error
    return { note: error.code === 'not_found' ? NO_RECORD : visibleLine(error.message) }
  }
}

const NO_RECORD = `No project record here: only memory and context were searched. Start one with ${operationNamed('init')}.`

function leftLine(left: Readonly<Record<string, number>>): string {
  const { duplicate, ...kinds } = left
  const parts = Object.entries(kinds).map(([kind, count]) => plural(count, `${kind} line`))
  return [
    ...(parts.length === 0 ? [] : [`Left out: ${parts.join(', ')}; a larger ${fieldNamed('budget')} shows more.`]),
    ...(duplicate === undefined ? [] : [`Left out as repeated: ${plural(duplicate, 'line')}.`]),
  ].join(' ')
}
