import { z } from 'zod'
import { plural } from '../core/text.ts'
import { defineOperation, FOR_PEOPLE, projectField } from './operation.ts'
import { recordFields, whose } from './record-answer.ts'

export const accept = defineOperation({
  name: 'accept',
  title: 'Accept edits made by hand',
  summary: 'Take what was edited by hand (project.md, stack.md, a decision) into the journal, so that `ken verify` agrees again.',
  details: 'Files are taken as they are; nothing else changes. A file that cannot be read is left for `ken doctor`. The state before is in the snapshots.',
  effect: 'write',
  words: 'own',
  toolset: 'desk',
  hiddenFrom: FOR_PEOPLE,
  input: { dry_run: z.boolean().default(false).describe('Only say what would be accepted.'), ...projectField },
  output: { ...recordFields, accepted: z.array(z.string()), left: z.array(z.object({ path: z.string(), message: z.string() })), dry_run: z.boolean() },
  examples: [{ title: 'See what was edited', input: { dry_run: true } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const found = await store.verify()
    const isEdit = (kind: string) => kind === 'edited' || kind === 'unknown'
    const accepted = found.filter((d) => isEdit(d.kind)).map((d) => d.path)
    if (!input.dry_run && accepted.length > 0) {
      await store.commit(ctx.origin, async (draft) => {
        for (const path of accepted) draft.write(path, (await draft.read(path)) ?? '')
        draft.note('accept', { files: accepted })
        draft.snapshot('accept')
      })
    }
    return { ...whose(store), accepted, left: found.filter((d) => !isEdit(d.kind)).map(({ path, message }) => ({ path, message })), dry_run: input.dry_run }
  },
  render(output) {
    const head = output.accepted.length === 0 ? 'Nothing was edited by hand.' : `${output.dry_run ? 'Would accept' : 'Accepted'} ${plural(output.accepted.length, 'file')}:`
    return [head, ...output.accepted.map((path) => `  ${path}`), ...output.left.map((f) => `  left: ${f.path}: ${f.message}`)].join('\n')
  },
})
