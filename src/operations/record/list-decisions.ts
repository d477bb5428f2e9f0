import { z } from 'zod'
import { byNumber } from '../../core/decision/catalogue.ts'
import { DECISION_TYPES, label } from '../../core/decision/decision.ts'
import { trustMark } from '../../core/trust/trust.ts'
import { dated } from '../../core/view/age.ts'
import { table } from '../../core/view/table.ts'
import { PLAIN } from '../../core/view/view.ts'
import { trustOf } from '../../record/read-decision.ts'
import { defineOperation, projectField } from '../operation.ts'
import { recordFields, trustField, whose } from './record-fields.ts'

export const listDecisions = defineOperation({
  name: 'list_decisions',
  title: 'List decisions',
  summary: 'Browse the decisions, newest first.',
  forPeople: 'The decisions, newest first.',
  effect: 'read',
  words: 'record',
  input: {
    limit: z.number().int().min(1).max(10_000).default(20),
    include_superseded: z.boolean().default(false),
    type: z.enum(DECISION_TYPES).optional(),
    ...projectField,
  },
  output: {
    ...recordFields,
    decisions: z.array(
      z.object({
        number: z.number(),
        title: z.string(),
        date: z.string(),
        status: z.string(),
        type: z.string().optional(),
        confidence: z.string(),
        trust: trustField,
      }),
    ),
    total: z.number().describe('All that match, shown or not.'),
    unreadable: z.array(z.object({ path: z.string(), message: z.string() })),
  },
  examples: [{ title: 'The newest', input: { limit: 5 } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const catalogue = await store.catalogue()
    const matching = catalogue.decisions.filter(
      (d) =>
        (input.include_superseded || d.status === 'active') &&
        (input.type === undefined || d.decision_type === input.type),
    )
    const shown = [...matching].sort((a, b) => byNumber(b, a)).slice(0, input.limit)
    return {
      ...whose(store, shown),
      decisions: shown.map((d) => ({
        number: d.num,
        title: d.title,
        date: d.date,
        status: d.status,
        ...(d.decision_type === null ? {} : { type: d.decision_type }),
        confidence: d.confidence,
        trust: trustOf(store, d),
      })),
      total: matching.length,
      unreadable: catalogue.unreadable.map(({ path, message }) => ({ path, message })),
    }
  },
  render(output, _input, view = PLAIN) {
    const shown = output.decisions.length
    const count = shown === output.total ? `${output.total}` : `${shown} of ${output.total}`
    const isPerson = view.reader === 'person'
    const rows = output.decisions.map((d) =>
      isPerson
        ? // Only what is not as usual: every column takes room from the titles.
          [label(d.number), dated(d.date, view), d.status === 'active' ? '' : d.status, d.title, trustMark(d.trust)]
        : [label(d.number), d.date, `[${d.status}]`, `${d.title}${trustMark(d.trust)}`],
    )
    const columns = [
      { tone: 'title' },
      { tone: 'dim' },
      { tone: 'dim' },
      { shrinks: true, tone: (row: number) => (output.decisions[row]!.status === 'active' ? undefined : 'dim') },
      { tone: 'warning' },
    ] as const
    const faults = output.unreadable.map((u) => view.mark('bad', `  unreadable: ${u.path}: ${u.message}`))
    return [`Decisions (${count}):`, ...table(rows, columns, view, '  '), ...faults].join('\n')
  },
})
