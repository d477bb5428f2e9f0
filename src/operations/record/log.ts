import { z } from 'zod'
import { snapshotName } from '../../core/snapshot/snapshot.ts'
import { plural } from '../../core/text.ts'
import { dated } from '../../core/view/age.ts'
import { table } from '../../core/view/table.ts'
import { PLAIN } from '../../core/view/view.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

export const log = defineOperation({
  name: 'log',
  title: 'Snapshots',
  summary: 'The snapshots of the record, newest first; `ken restore` goes back to one.',
  effect: 'read',
  words: 'record',
  hiddenFrom: FOR_PEOPLE,
  input: { limit: z.number().int().min(1).max(100_000).default(10), ...projectField },
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
  },
  examples: [{ title: 'The newest', input: { limit: 5 } }],
  async run(ctx, input) {
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
  render: (output, _input, view = PLAIN) =>
    table(
      output.snapshots.map((s) => [
        snapshotName(s.version),
        view.now === undefined ? s.timestamp.slice(0, 19) : dated(s.timestamp, view),
        plural(s.decisions, 'decision'),
        s.trigger,
      ]),
      [{ tone: 'title' }, { tone: 'dim' }, { align: 'right', tone: 'dim' }, { shrinks: true }],
      view,
    ).join('\n') || 'No snapshots yet.',
})
