import { z } from 'zod'
import { plural } from '../core/text.ts'
import { defineOperation, FOR_PEOPLE, projectField } from './operation.ts'
import { recordFields, whose } from './record-answer.ts'

export const verify = defineOperation({
  name: 'verify',
  title: 'Verify the record',
  summary: 'Check every byte of the record against its journal; exits 0 only when all agree.',
  effect: 'read',
  toolset: 'desk',
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: { ...projectField },
  output: { ...recordFields, clean: z.boolean(), files: z.number(), events: z.number(), discrepancies: z.array(z.object({ path: z.string(), kind: z.string(), message: z.string() })) },
  examples: [{ title: 'The project here', input: {} }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const discrepancies = await store.verify()
    return {
      ...whose(store),
      clean: discrepancies.length === 0,
      files: (await store.list()).length,
      events: (await store.journal()).length,
      discrepancies: discrepancies.map((d) => ({ ...d })),
    }
  },
  render: (output) =>
    output.clean
      ? `Verified: ${plural(output.files, 'file')} agree with ${plural(output.events, 'journal event')}.`
      : [`${plural(output.discrepancies.length, 'discrepancy', 'discrepancies')}:`, ...output.discrepancies.map((d) => `  ${d.kind}: ${d.path}: ${d.message}`), ...(output.discrepancies.some((d) => d.kind === 'edited') ? ['`ken accept` takes edits made by hand into the journal.'] : [])].join('\n'),
  exit: (output) => (output.clean ? 0 : 1),
})
