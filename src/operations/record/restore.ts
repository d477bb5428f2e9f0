import { z } from 'zod'
import { snapshotName } from '../../core/snapshot/snapshot.ts'
import { plural } from '../../core/text.ts'
import { markDiff } from '../../core/view/mark-diff.ts'
import { PLAIN } from '../../core/view/view.ts'
import { restoreSnapshot } from '../../record/restore.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

export const restore = defineOperation({
  name: 'restore',
  title: 'Go back to a snapshot',
  summary:
    'Put the record, or single files of it, back as a snapshot has them; the state before is itself a snapshot, so it can be undone.',
  effect: 'write',
  fromPage: 'free',
  destructive: true,
  words: 'own',
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['version'],
  input: {
    version: z
      .string()
      .regex(/^v?\d+$/, 'say it like v012 or 12')
      .describe('A snapshot of `ken log`, e.g. v012.'),
    files: z
      .array(z.string().min(1).max(500))
      .max(1000)
      .optional()
      .describe('Only these, e.g. decisions/012-use-postgres.md.'),
    dry_run: z.boolean().default(false).describe('Only say what would change.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    version: z.number(),
    written: z.array(z.string()),
    removed: z.array(z.string()),
    dry_run: z.boolean(),
  },
  examples: [
    { title: 'See what would change', input: { version: 'v002', dry_run: true } },
    { title: 'One file', input: { version: 'v002', files: ['state_current.md'] } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const version = Number(input.version.replace(/^v/, ''))
    return {
      ...whose(store),
      version,
      ...(await restoreSnapshot(ctx, store, { ...input, version })),
      dry_run: input.dry_run,
    }
  },
  render(output, _input, view = PLAIN) {
    const lines = [...output.written.map((path) => `  ~ ${path}`), ...output.removed.map((path) => `  - ${path}`)]
    if (lines.length === 0) return `The record is already as ${snapshotName(output.version)} has it.`
    return [
      `${output.dry_run ? 'Would change' : 'Restored'} ${snapshotName(output.version)}: ${plural(lines.length, 'file')}`,
      ...lines.map((line) => markDiff(line, view)),
    ].join('\n')
  },
})
