import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { markDiff } from '../../kernel/domain/view/mark-diff.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import { snapshotName } from '../domain/snapshot/snapshot.ts'
import { restoreSnapshot } from '../restore.ts'
import { recordFields, whose } from './record-fields.ts'

export const restore = defineOperation({
  name: 'restore',
  title: 'Go back to a snapshot',
  summary: 'Restore the record, or single files, from a snapshot.',
  effect: 'write',
  isRepeatable: true,
  fromPage: 'free',
  destructive: true,
  words: 'own',
  needs: ['record'],
  onServer: {},
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
    yes: z.boolean().default(false).describe('Do not ask (for scripts).'),
    dry_run: z.boolean().default(false).describe('Only show what would change.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    version: z.number(),
    written: z.array(z.string()),
    removed: z.array(z.string()),
    outcome: z.enum(['restored', 'unchanged', 'declined', 'unanswered', 'dry_run']),
    way_back: z.number().optional().describe('The snapshot of the record as it was before.'),
  },
  examples: [
    { title: 'See what would change', input: { version: 'v002', dry_run: true } },
    { title: 'One file', input: { version: 'v002', files: ['state_current.md'] } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const version = Number(input.version.replace(/^v/, ''))
    const planned = await restoreSnapshot(ctx, store, { ...input, version, dry_run: true })
    const told = { ...whose(store), version, ...planned }
    if (planned.written.length + planned.removed.length === 0) return { ...told, outcome: 'unchanged' as const }
    if (input.dry_run) return { ...told, outcome: 'dry_run' as const }
    if (!input.yes && ctx.confirm === undefined) return { ...told, outcome: 'unanswered' as const }
    if (!input.yes && !(await ctx.confirm!(`${listed(told, PLAIN)}\n\nRestore it?`)))
      return { ...told, outcome: 'declined' as const }
    return { ...told, ...(await restoreSnapshot(ctx, store, { ...input, version })), outcome: 'restored' as const }
  },
  render(output, _input, view = PLAIN) {
    const name = snapshotName(output.version)
    switch (output.outcome) {
      case 'unchanged':
        return `The record is already as ${name} has it.`
      case 'declined':
        return 'Nothing was restored.'
      case 'unanswered':
        return `${listed(output, view)}\n\nNothing was restored yet: answer at a terminal, or say --yes.`
      case 'dry_run':
        return listed(output, view)
      case 'restored': {
        const count = output.written.length + output.removed.length
        const back =
          output.way_back === undefined
            ? []
            : [view.mark('dim', `\`ken restore ${snapshotName(output.way_back)}\` brings back what was there before.`)]
        return [`${view.mark('good', 'Restored')} ${name}: ${plural(count, 'file')}.`, ...back].join('\n')
      }
    }
  },
  exit: ({ outcome }) => (outcome === 'declined' || outcome === 'unanswered' ? 1 : 0),
})

function listed(
  { version, written, removed }: { version: number; written: readonly string[]; removed: readonly string[] },
  view: View,
): string {
  const lines = [...removed.map((path) => `  - ${path}`), ...written.map((path) => `  ~ ${path}`)]
  const gone = removed.filter((path) => path.startsWith('decisions/')).length
  const warning = gone === 0 ? '' : `, ${plural(gone, 'decision')} would go`
  return [
    `${snapshotName(version)} differs from the record in ${plural(lines.length, 'file')}${warning}:`,
    ...lines.map((line) => markDiff(line, view)),
  ].join('\n')
}
