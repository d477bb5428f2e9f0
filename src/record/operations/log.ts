import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../../operations/operation.ts'
import { snapshotName } from '../domain/snapshot/snapshot.ts'
import { listDecisions } from './list-decisions.ts'
import { recordFields, whose } from './record-fields.ts'

export const log = defineOperation({
  name: 'log',
  title: 'Snapshots',
  summary: 'The snapshots of the record, newest first; `ken restore` goes back to one.',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  hiddenFrom: FOR_PEOPLE,
  input: {
    limit: z.number().int().min(1).max(10_000).default(10),
    full: z.boolean().default(false).describe('With the size of each and what set it off, in full.'),
    decisions: z.boolean().default(false).describe('The decisions instead, as `ken list` shows them.'),
    all: z.boolean().default(false).describe('With --decisions: superseded ones too.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    total: z.number(),
    snapshots: z.array(
      z.object({
        version: z.number(),
        timestamp: z.string(),
        trigger: z.string(),
        trigger_detail: z.string(),
        token_count: z.number(),
        decisions: z.number(),
      }),
    ),
    decisions: listDecisions.output.shape.decisions.optional(),
  },
  examples: [
    { title: 'The newest', input: { limit: 5 } },
    { title: 'The newest decisions', input: { decisions: true, limit: 5 } },
  ],
  async run(ctx, input) {
    if (input.decisions) {
      const {
        unreadable: _,
        unreadable_total: __,
        ...listed
      } = await listDecisions.run(ctx, {
        ...input,
        ...LIKE_LIST,
        include_superseded: input.all,
      })
      return { ...listed, snapshots: [] }
    }
    const store = await ctx.record(input.project_id)
    const snapshots = await store.snapshots.list()
    return {
      ...whose(store),
      total: snapshots.length,
      snapshots: snapshots
        .slice(-input.limit)
        .reverse()
        .map((s) => ({ ...s })),
    }
  },
  render(output, input, view = PLAIN) {
    if (output.decisions !== undefined)
      return listDecisions.render(
        { ...output, decisions: output.decisions, unreadable: [], unreadable_total: 0 },
        { ...input, ...LIKE_LIST, include_superseded: input.all },
        view,
      )
    const lines = table(
      output.snapshots.map((s) => [
        snapshotName(s.version),
        view.now === undefined ? s.timestamp.slice(0, 19) : dated(s.timestamp, view),
        plural(s.decisions, 'decision'),
        s.trigger,
      ]),
      [{ tone: 'title' }, { tone: 'dim' }, { align: 'right', tone: 'dim' }, { shrinks: true }],
      view,
    )
    const shown = output.snapshots.map((s, at) => {
      const detail = [`about ${s.token_count} tokens`, s.trigger_detail].filter((part) => part !== '')
      return input.full ? `${lines[at]}\n      ${view.mark('dim', detail.join(' · '))}` : lines[at]!
    })
    const rest = output.total - output.snapshots.length
    return shown.length === 0
      ? 'No snapshots yet.'
      : [...shown, ...(rest > 0 ? [view.mark('dim', `and ${rest} older; --limit shows more`)] : [])].join('\n')
  },
})

const LIKE_LIST = { offset: 0, order: 'number', counts: false } as const
