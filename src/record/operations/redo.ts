import { z } from 'zod'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import { planRedo, redo as bringBack } from '../undo.ts'
import { recordFields, whose } from './record-fields.ts'
import { describeChange } from './undo.ts'

export const redo = defineOperation({
  name: 'redo',
  title: 'Redo the last undone change',
  summary: 'Redo the last change undone on this machine.',
  details:
    'Once more brings back the one before. What was recorded since stays; a file that was changed since is left as it is, and the change with it.',
  effect: 'write',
  fromPage: 'free',
  words: 'record',
  needs: ['record'],
  onServer: {},
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: {
    dry_run: z.boolean().default(false).describe('Only show what would be redone.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    change: z.object({ id: z.string(), operation: z.string(), what: z.string(), at: z.string() }),
    files: z.array(z.string()),
    dry_run: z.boolean(),
  },
  examples: [{ title: 'See what it would bring back', input: { dry_run: true } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const plan = await planRedo(store)
    const { id, operation, at } = plan.event
    if (!input.dry_run) await bringBack(ctx, store, plan, `redo: ${operation}`)
    const what = await describeChange(store, plan.event)
    return {
      ...whose(store),
      change: { id, operation, what, at },
      files: [...plan.forth.keys()],
      dry_run: input.dry_run,
    }
  },
  render: ({ change, files, dry_run: isDry }, _input, view = PLAIN) =>
    `${view.mark('good', isDry ? 'Would bring back:' : 'Back again:')} ${ellipsis(change.what, 200)} (${plural(files.length, 'file')}).`,
})
