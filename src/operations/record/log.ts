import { z } from 'zod'
import { snapshotName } from '../../core/snapshot/snapshot.ts'
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
  render: (output) =>
    output.snapshots
      .map(
        (s) =>
          `${snapshotName(s.version)}  ${s.timestamp.slice(0, 19)}  ${String(s.decisions).padStart(4)} decisions  ${s.trigger}`,
      )
      .join('\n') || 'No snapshots yet.',
})
