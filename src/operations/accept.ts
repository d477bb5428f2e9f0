import { z } from 'zod'
import { HASHES } from '../core/record/files.ts'
import { plural } from '../core/text.ts'
import type { Discrepancy } from '../ports/store.ts'
import { defineOperation, FOR_PEOPLE, projectField } from './operation.ts'
import { recordFields, whose } from './record-answer.ts'
import { rebuildHashIndex } from './rebuild-hash-index.ts'

export const accept = defineOperation({
  name: 'accept',
  title: 'Accept edits made by hand',
  summary: 'Take what was edited by hand (project.md, stack.md, a decision) into the journal, so that `ken verify` agrees again.',
  details:
    'Files are taken as they are; nothing else changes. A file that cannot be read is left for `ken doctor`, and a decision that is gone for `ken repair`: decisions are superseded, not deleted. The state before is in the snapshots. --history also takes a journal or snapshots that were changed or cut as they are; what is gone from them stays gone.',
  effect: 'write',
  toolset: 'desk',
  hiddenFrom: FOR_PEOPLE,
  input: {
    history: z.boolean().default(false).describe('Also accept a journal or snapshots that were changed or cut.'),
    dry_run: z.boolean().default(false).describe('Only say what would be accepted.'),
    ...projectField,
  },
  output: { ...recordFields, accepted: z.array(z.string()), left: z.array(z.object({ path: z.string(), message: z.string() })), dry_run: z.boolean() },
  examples: [{ title: 'See what was edited', input: { dry_run: true } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const found = await store.verify()
    const closed = new Set<string>()
    for (const { path } of found.filter(isEdit)) await store.read(path).catch(() => closed.add(path))
    const isTaken = (d: Discrepancy) => (isEdit(d) && !closed.has(d.path)) || isRemoval(d) || (input.history && (d.about?.length ?? 0) > 0)
    const taken = found.filter(isTaken)
    const accepted = [...new Set(taken.map((d) => d.path))]
    if (!input.dry_run && taken.length > 0) {
      await store.commit(ctx.origin, async (draft) => {
        for (const { path } of taken.filter(isEdit)) draft.write(path, (await draft.read(path)) ?? '')
        for (const { path } of taken.filter(isRemoval)) draft.remove(path)
        if (accepted.some((path) => path.startsWith('decisions/'))) await rebuildHashIndex(ctx, store, draft, { isTrusted: !accepted.includes(HASHES) })
        const given = taken.flatMap((d) => d.about ?? [])
        draft.note('accept', { files: accepted, ...(given.length > 0 && { gave_up: given }) })
        draft.snapshot('accept')
      })
    }
    return { ...whose(store), accepted, left: found.filter((d) => !isTaken(d)).map(({ path, message }) => ({ path, message })), dry_run: input.dry_run }
  },
  render(output) {
    const head = output.accepted.length === 0 ? 'Nothing was edited by hand.' : `${output.dry_run ? 'Would accept' : 'Accepted'} ${plural(output.accepted.length, 'file')}:`
    return [head, ...output.accepted.map((path) => `  ${path}`), ...output.left.map((f) => `  left: ${f.path}: ${f.message}`)].join('\n')
  },
})

const isEdit = ({ kind }: Discrepancy): boolean => kind === 'edited' || kind === 'unknown'

const isRemoval = ({ kind, path, about }: Discrepancy): boolean => kind === 'missing' && about === undefined && !path.startsWith('decisions/') && !path.startsWith('journal/')
