import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../../operations/operation.ts'
import { recordFields, whose } from './record-fields.ts'

export const verify = defineOperation({
  name: 'verify',
  title: 'Verify the record',
  summary: 'Verify every byte of the record; exits 1 on a mismatch.',
  details:
    'Compares files with the journal, checks the hash chain of the journal and the snapshots, and compares their ends with those last seen on this machine. A journal seen for the first time is accepted, and the answer mentions it.',
  effect: 'read',
  words: 'own',
  needs: ['record'],
  onServer: {},
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: { ...projectField },
  output: {
    ...recordFields,
    clean: z.boolean(),
    files: z.number(),
    events: z.number(),
    discrepancies: z.array(z.object({ path: z.string(), kind: z.string(), message: z.string() })),
    notes: z.array(z.string()),
  },
  examples: [{ title: 'The project here', input: {} }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const { discrepancies, notes } = await store.care.inspect()
    return {
      ...whose(store),
      clean: discrepancies.length === 0,
      files: (await store.list()).length,
      events: (await store.journal()).length,
      discrepancies: discrepancies.map(({ path, kind, message }) => ({ path, kind, message })),
      notes: [...notes],
    }
  },
  render(output, _input, view = PLAIN) {
    const notes = output.notes.map((note) => `Note: ${note}`)
    if (output.clean)
      return [
        `${view.mark('good', 'Verified:')} ${plural(output.files, 'file')} agree with ${plural(output.events, 'journal event')}.`,
        ...notes,
      ].join('\n')
    const { discrepancies } = output
    const isHistory = ({ path }: { path: string }) => /^(?:journal|snapshots)\/(?!\.gitignore$)/.test(path)
    const has = (...kinds: string[]) => discrepancies.some((d) => kinds.includes(d.kind) && !isHistory(d))
    return [
      `${plural(discrepancies.length, 'discrepancy', 'discrepancies')}:`,
      ...discrepancies.map((d) => `  ${view.mark('bad', `${d.kind}:`)} ${view.mark('title', d.path)}: ${d.message}`),
      ...notes,
      ...(has('edited', 'unknown')
        ? ['`ken accept` takes edits made by hand into the journal; `ken repair --take-back` undoes them.']
        : []),
      ...(has('missing') ? ['`ken repair` brings back what is gone, where a snapshot or git still has it.'] : []),
      ...(discrepancies.some(isHistory)
        ? [
            'Bring journal or snapshots back from a backup or from git; `ken accept --history` takes what is left of them.',
          ]
        : []),
    ].join('\n')
  },
  exit: (output) => (output.clean ? 0 : 1),
})
