import { z } from 'zod'
import { BUDGET, fitting } from '../../kernel/domain/answer-budget.ts'
import { fieldNamed, operationNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { type DecisionTrust, trustMark } from '../../kernel/domain/trust/trust.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { type CatalogueEntry, byNumber, unreadableLine } from '../domain/decision/catalogue.ts'
import { CONFIDENCES, type Decision, label } from '../domain/decision/decision.ts'
import { outcomeBelowTitle } from '../domain/decision/outcome.ts'
import { readDecisions, trustOf } from '../read-decision.ts'
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
const MOST_FILES = 5
const LONGEST_OUTCOME = 240
const ORDERS = ['number', 'date', 'title', 'type', 'confidence', 'files'] as const
type Order = (typeof ORDERS)[number]

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
  unlisted: [...UNLISTED_FILTERS, 'order', 'reverse', 'outcomes', 'counts', 'locate', 'as_of'],
  input: {
    limit: z.number().int().min(1).max(10_000).default(20),
    offset: z.number().int().min(0).default(0),
    include_superseded: z.boolean().default(false),
    ...decisionFilters,
    order: z
      .enum(ORDERS)
      .default('number')
      .meta(forPeople('Order by number or date (newest first), title, type, confidence or number of files.')),
    reverse: z.boolean().default(false).meta(forPeople('Reverse the order.')),
    outcomes: z.boolean().default(false).meta(forPeople('Also the outcome of each in one line, and its files.')),
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
        outcome: z.string().optional(),
        files: z.array(z.string()).optional().describe(`At most ${MOST_FILES}.`),
        files_total: z.number().optional(),
      }),
    ),
    total: z.number().describe('All that match, shown or not.'),
    counts: decisionCounts.optional(),
    position: z.number().optional().describe('Position of the requested decision; missing if it is not in the list.'),
    next_offset: z.number().optional().describe('Start of the next page.'),
    unreadable: z.array(z.object({ path: z.string(), message: z.string() })).describe('At most twenty of them.'),
    unreadable_total: z.number(),
  },
  examples: [
    { title: 'The newest', input: { limit: 5 } },
    { title: 'Decisions at the end of a day', input: { as_of: '2026-03-01' } },
    { title: 'Superseded decisions, by day', input: { status: 'superseded', order: 'date', counts: true } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const catalogue = await store.catalogue()
    const matching = ordered(catalogue.decisions, input).filter(decisionFilter(store, input))
    const wanted = matching.slice(input.offset, input.offset + input.limit)
    const position = input.locate === undefined ? -1 : matching.findIndex(({ num }) => num === input.locate)
    const texts = input.outcomes ? await readDecisions(store, wanted) : undefined
    const rows = wanted.map((d) => ({ ...row(d, trustOf(store, d)), ...(texts && factsOf(d, texts.get(d.stem))) }))
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

// Cached by identity: the list is the same object until a decision changes, and a page requests many parts of it.
const sorted = new WeakMap<readonly CatalogueEntry[], Map<string, readonly CatalogueEntry[]>>()

function ordered(
  decisions: readonly CatalogueEntry[],
  { order, reverse }: { readonly order: Order; readonly reverse: boolean },
): readonly CatalogueEntry[] {
  const known = sorted.get(decisions) ?? new Map<string, readonly CatalogueEntry[]>()
  sorted.set(decisions, known)
  const key = `${order}${reverse ? ' reversed' : ''}`
  const sign = reverse ? -1 : 1
  const found = known.get(key) ?? decisions.toSorted((a, b) => sign * (COMPARE[order](a, b) || byNumber(b, a)))
  known.set(key, found)
  return found
}

const collator = new Intl.Collator('en', { numeric: true })

const COMPARE: Readonly<Record<Order, (a: CatalogueEntry, b: CatalogueEntry) => number>> = {
  number: () => 0,
  date: (a, b) => (a.date === b.date ? 0 : a.date < b.date ? 1 : -1),
  title: (a, b) => collator.compare(a.title, b.title),
  // Untyped decisions come last.
  type: (a, b) => collator.compare(a.decision_type ?? '\uffff', b.decision_type ?? '\uffff'),
  confidence: (a, b) => CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence),
  files: (a, b) => b.files_affected.length - a.files_affected.length,
}

function countLines(counts: DecisionCounts | undefined): string[] {
  if (counts === undefined) return []
  const { months, with_files: withFiles, ...facts } = counts
  const line = (name: string, amounts: readonly (readonly [string, number])[]) =>
    `  ${name}: ${amounts.map(([value, amount]) => `${value} ${amount}`).join(', ')}`
  return [
    '',
    ...Object.entries(facts).map(([name, amounts]) => line(name, Object.entries(amounts))),
    line(
      'months',
      months.map(({ month, count }) => [month, count]),
    ),
    `  with files: ${withFiles}`,
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

const factsOf = (d: CatalogueEntry, text: Decision | undefined) => ({
  ...(text && { outcome: ellipsis(outcomeBelowTitle(text), LONGEST_OUTCOME) }),
  files: d.files_affected.slice(0, MOST_FILES),
  files_total: d.files_affected.length,
})
