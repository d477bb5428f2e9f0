import { z } from 'zod'
import { BUDGET, beginning, count } from '../../kernel/domain/answer-budget.ts'
import { plural } from '../../kernel/domain/text.ts'
import { markDiff } from '../../kernel/domain/view/mark-diff.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { describeDiff } from '../domain/snapshot/diff.ts'
import { nearestSnapshot } from '../domain/snapshot/retention.ts'
import { budgetFor } from './page-of.ts'
import { recordFields, whose } from './record-fields.ts'

export const diffSinceLastSession = defineOperation({
  name: 'diff_since_last_session',
  title: 'What changed',
  summary:
    'Show what changed in the record (decisions, questions, state) since the last session, or in the last N days. Not for code: git.',
  forPeople: 'Show record changes since the last snapshot or in the last N days.',
  searchHint: 'news, recent changes',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  isText: true,
  input: {
    days: z
      .number()
      .int()
      .min(0)
      .max(100_000)
      .optional()
      .meta(forPeople('Look back N days; omit for the two newest snapshots.')),
    ...projectField,
  },
  output: { ...recordFields, diff: z.string(), cutoff_date_used: z.string().optional() },
  examples: [
    { title: 'Since the last change', input: {} },
    { title: 'The last week', input: { days: 7 } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const snapshots = await store.snapshots.list()
    const latest = snapshots.at(-1)
    if (latest === undefined || snapshots.length < 2)
      return { ...whose(store), diff: 'Not enough snapshots to compare (need at least 2).' }
    const baseline =
      input.days === undefined ? snapshots.at(-2) : nearestSnapshot(snapshots, input.days, ctx.clock.now())
    const cutoff = input.days === undefined || baseline === undefined ? {} : { cutoff_date_used: baseline.timestamp }
    if (baseline === undefined || baseline.version === latest.version) {
      return { ...whose(store), diff: 'One snapshot covers the requested range; nothing to compare.', ...cutoff }
    }
    const [before, after] = await Promise.all([
      store.snapshots.read(baseline.version),
      store.snapshots.read(latest.version),
    ])
    if (before === undefined || after === undefined)
      return { ...whose(store), diff: 'A snapshot cannot be read; run `ken doctor`.', ...cutoff }
    const anchor =
      input.days === undefined
        ? undefined
        : `Look-back of ${plural(input.days, 'day')}: baseline of ${baseline.timestamp.slice(0, 10)}`
    return {
      ...whose(store),
      diff: bounded(describeDiff(before, after, anchor), budgetFor(ctx, BUDGET.diff)),
      ...cutoff,
    }
  },
  render: (output, _input, view = PLAIN) => markDiff(output.diff, view),
})

function bounded(diff: string, budget: number): string {
  const { text, left } = beginning(diff, budget)
  const lines = diff.slice(text.length).split('\n').length - 1
  return left === 0 ? text : `${text}\n(+${count(lines)} more lines: list_decisions shows what is there now)`
}
