import { z } from 'zod'
import { redactSecrets } from '../../kernel/domain/secrets/redact.ts'
import { plural } from '../../kernel/domain/text.ts'
import { fileDiff } from '../../kernel/domain/text/unified-diff.ts'
import { markDiff } from '../../kernel/domain/view/mark-diff.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import type { Store } from '../ports/store.ts'
import { repairRecord } from '../repair.ts'
import { recordFields, whose } from './record-fields.ts'

export const repair = defineOperation({
  name: 'repair',
  title: 'Mend the record',
  summary: 'Repair what `ken doctor` found, where that is safe.',
  details:
    'Restores a missing or unreadable decision byte for byte from a snapshot or from git, if one of them has the version that the journal last recorded; the difference is shown. Readable edits stay until you decide: --take-back undoes them (after asking at a terminal), `ken accept` keeps them. The journal gets no event for unknown changes.',
  effect: 'write',
  isRepeatable: true,
  fromPage: 'free',
  words: 'own',
  needs: ['record'],
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: {
    take_back: z.boolean().default(false).describe('Also undo manual edits, if the previous text is still known.'),
    yes: z.boolean().default(false).describe('Undo edits without asking.'),
    dry_run: z.boolean().default(false).describe('Only show what would be repaired.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    mended: z.array(z.string()),
    left: z.array(z.object({ path: z.string(), message: z.string(), reason: z.string() })),
    differences: z.array(z.object({ path: z.string(), diff: z.string() })),
    dry_run: z.boolean(),
  },
  examples: [{ title: 'Try it', input: { dry_run: true } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const { differences, ...repaired } = await repairRecord(ctx, store, {
      ...input,
      take_back: input.take_back && (input.dry_run || input.yes || (await mayUndo(ctx, store))),
    })
    return {
      ...whose(store),
      ...repaired,
      differences: differences.map(({ path, now, kept }) => ({
        path,
        diff: fileDiff(path, now && redactSecrets(now).text, redactSecrets(kept.text).text),
      })),
      dry_run: input.dry_run,
    }
  },
  render(output, _input, view = PLAIN) {
    const head =
      output.mended.length === 0
        ? 'Nothing to mend.'
        : `${output.dry_run ? 'Would mend' : 'Mended'} ${plural(output.mended.length, 'flaw')}:`
    const left = output.left.map((f) => `  left: ${f.path}: ${f.message}\n    ${f.reason}`)
    const diffs = output.differences.map(({ diff }) => `\n${markDiff(diff, view)}`)
    return [head, ...output.mended.map((line) => `  ${line}`), ...left, ...diffs].join('\n')
  },
})

/** Asks before undoing edits, if there are any and a person can answer. */
async function mayUndo(ctx: Given, store: Store): Promise<boolean> {
  const { mended } = await repairRecord(ctx, store, { take_back: true, dry_run: true })
  if (ctx.confirm === undefined || mended.length === 0) return true
  return ctx.confirm(
    ['Would mend:', ...mended.map((line) => `  ${line}`), '', 'Undo the edits made by hand?'].join('\n'),
  )
}
