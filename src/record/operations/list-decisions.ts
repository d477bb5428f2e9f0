import { z } from 'zod'
import { BUDGET, fitting } from '../../kernel/domain/answer-budget.ts'
import { fieldNamed, operationNamed } from '../../kernel/domain/named-operation.ts'
import { type DecisionTrust, trustMark } from '../../kernel/domain/trust/trust.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { type CatalogueEntry, byNumber, unreadableLine } from '../domain/decision/catalogue.ts'
import { label } from '../domain/decision/decision.ts'
import { trustOf } from '../read-decision.ts'
import { asOfField, asOfOf, asOfOutput, describeAsOf } from './as-of-field.ts'
import {
  countDecisions,
  decisionCounts,
  decisionFilter,
  decisionFilters,
  type DecisionCounts,
  UNLISTED_FILTERS,
} from './decision-filters.ts'
import { budgetFor } from './page-of.ts'
import { recordFields, trustField, whose } from './record-fields.ts'

const MOST_FAULTS = 20

export const listDecisions = defineOperation({
  name: 'list_decisions',
  title: 'List decisions',
  summary: `List all decisions of this project, newest first. To browse; for a subject: ${operationNamed('search_decisions')}.`,
  searchHint: 'everything decided, latest',
  forPeople: 'List decisions, newest first.',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  unlisted: [...UNLISTED_FILTERS, 'order', 'counts', 'locate', 'as_of'],
  input: {
    limit: z.number().int().min(1).max(10_000).default(20),
    offset: z.number().int().min(0).default(0),
    include_superseded: z.boolean().default(false),
    ...decisionFilters,
    order: z.enum(['number', 'date']).default('number').meta(forPeople('Order by number or date, newest first.')),
    counts: z.boolean().default(false).meta(forPeople('Also count by status, type, confidence, trust and month.')),
    locate: z
      .number()
      .int()
      .min(0)
      .optional()
      .meta(forPeople('Also the position of this decision in the list, from 0.')),
    ...asOfField,
    ...projectField,
  },
  output: {
    ...recordFields,
    ...asOfOutput,
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
    counts: decisionCounts.optional(),
    position: z.number().optional().describe('Of the decision to locate; missing where it is not in the list.'),
    next_offset: z.number().optional().describe('Where the next call goes on.'),
    unreadable: z.array(z.object({ path: z.string(), message: z.string() })).describe('At most twenty of them.'),
    unreadable_total: z.number(),
  },
  examples: [
    { title: 'The newest', input: { limit: 5 } },
    { title: 'Those of the end of a day', input: { as_of: '2026-03-01' } },
    { title: 'What was replaced, by day', input: { status: 'superseded', order: 'date', counts: true } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const catalogue = await store.catalogue()
    const matching = newestFirst(catalogue.decisions, input.order).filter(decisionFilter(store, input))
    const wanted = matching.slice(input.offset, input.offset + input.limit)
    const position = input.locate === undefined ? -1 : matching.findIndex(({ num }) => num === input.locate)
    const rows = wanted.map((d) => row(d, trustOf(store, d)))
    const decisions = fitting(rows, budgetFor(ctx, BUDGET.list), (one) => JSON.stringify(one).length)
    const next = input.offset + decisions.length
    return {
      ...whose(store, wanted.slice(0, decisions.length)),
      ...asOfOf(store),
      decisions,
      total: matching.length,
      ...(input.counts && { counts: countDecisions(store, catalogue.decisions, input) }),
      ...(position >= 0 && { position }),
      ...(next < matching.length && decisions.length > 0 && { next_offset: next }),
      unreadable: catalogue.unreadable.slice(0, MOST_FAULTS).map(({ path, message }) => ({ path, message })),
      unreadable_total: catalogue.unreadable.length,
    }
  },
  own: describeAsOf,
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
    const unread = output.unreadable_total === 0 ? [] : [view.mark('bad', unreadableLine(output.unreadable_total))]
    const more = output.next_offset === undefined ? [] : [`  (more with ${fieldNamed('offset')} ${output.next_offset})`]
    return [
      `Decisions (${count}):`,
      ...table(rows, columns, view, '  '),
      ...more,
      ...countLines(output.counts),
      ...faults,
      ...unread,
    ].join('\n')
  },
})

type Order = 'number' | 'date'

// Cached by identity: the list is the same object until a decision changes, and a page requests many parts of it.
const sorted = new WeakMap<readonly CatalogueEntry[], Map<Order, readonly CatalogueEntry[]>>()

function newestFirst(decisions: readonly CatalogueEntry[], order: Order): readonly CatalogueEntry[] {
  const known = sorted.get(decisions) ?? new Map<Order, readonly CatalogueEntry[]>()
  sorted.set(decisions, known)
  const found =
    known.get(order) ??
    decisions.toSorted((a, b) => (order === 'date' && a.date !== b.date ? (a.date < b.date ? 1 : -1) : byNumber(b, a)))
  known.set(order, found)
  return found
}

function countLines(counts: DecisionCounts | undefined): string[] {
  if (counts === undefined) return []
  const { months, ...facts } = counts
  const line = (name: string, amounts: readonly (readonly [string, number])[]) =>
    `  ${name}: ${amounts.map(([value, amount]) => `${value} ${amount}`).join(', ')}`
  return [
    '',
    ...Object.entries(facts).map(([name, amounts]) => line(name, Object.entries(amounts))),
    line(
      'months',
      months.map(({ month, count }) => [month, count]),
    ),
  ]
}

const row = (d: CatalogueEntry, trust: DecisionTrust) => ({
  number: d.num,
  title: d.title,
  date: d.date,
  status: d.status,
  ...(d.decision_type === null ? {} : { type: d.decision_type }),
  confidence: d.confidence,
  trust,
})
