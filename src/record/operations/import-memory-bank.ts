import { z } from 'zod'
import { codePoints, plural } from '../../kernel/domain/text.ts'
import { AT_A_TERMINAL, defineOperation, projectField } from '../../operations/operation.ts'
import { label } from '../domain/decision/decision.ts'
import { LIMITS } from '../domain/decision/screening.ts'
import { STATE } from '../domain/files.ts'
import type { MemoryBankPlan } from '../domain/import/memory-bank.ts'
import { importBank } from '../import-memory-bank.ts'
import type { Store } from '../ports/store.ts'
import { decisionId } from '../read-decision.ts'
import { dryRunField, listed, recordFields, skippedFile, whose } from './record-fields.ts'

const OUTPUT = {
  ...recordFields,
  dry_run: z.boolean(),
  used: z.array(z.string()).describe('Files that were read into the record.'),
  changed: z.array(z.string()).describe('Files of the record that changed, besides decisions.'),
  imported: z.array(z.object({ id: z.string(), number: z.number(), title: z.string() })),
  duplicates: z.array(z.object({ title: z.string(), duplicate_of: z.string() })),
  skipped: z.array(skippedFile),
  notices: z.array(z.string()),
}

export const importMemoryBank = defineOperation({
  name: 'import_memory_bank',
  title: 'Import a memory bank',
  summary: 'Import a memory bank (projectBrief.md, decisionLog.md, …).',
  details:
    'projectBrief and productContext are appended to project.md, techContext and systemPatterns to stack.md, each under a heading that names its origin; entries of decisionLog become decisions; activeContext and progress become the current state, and what it said before goes to the history. Nothing is overwritten, and importing twice adds nothing.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  hiddenFrom: AT_A_TERMINAL,
  positional: ['path'],
  input: { path: z.string().min(1).describe('The folder of the memory bank.'), ...dryRunField, ...projectField },
  output: OUTPUT,
  examples: [{ title: 'A folder', input: { path: 'memory-bank' } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const { plan, changed } = await importBank(ctx, store, input)
    return answer(store, plan, { changed, dryRun: input.dry_run })
  },
  render,
})

type Output = z.output<z.ZodObject<typeof OUTPUT>>

function answer(
  store: Store,
  plan: MemoryBankPlan,
  { changed, dryRun }: { changed: string[]; dryRun: boolean },
): Output {
  const long = codePoints(plan.state ?? '') > LIMITS.delta
  return {
    ...whose(store),
    dry_run: dryRun,
    used: [...plan.used],
    changed,
    imported: plan.decisions.map(({ decision }) => ({
      id: decisionId(decision.num),
      number: decision.num,
      title: decision.title,
    })),
    duplicates: plan.duplicates.map(({ title, of }) => ({ title, duplicate_of: decisionId(of) })),
    skipped: [...plan.skipped],
    notices:
      long && changed.includes(STATE)
        ? ['The current state is long, and every agent reads it first; shorten it with `ken state`.']
        : [],
  }
}

function render(output: Output): string {
  const verb = output.dry_run ? 'Would import' : 'Imported'
  const changed =
    output.changed.length === 0
      ? 'nothing else changes'
      : `${output.changed.join(', ')} ${output.dry_run ? 'would change' : 'changed'}`
  return [
    `${verb} ${plural(output.imported.length, 'decision')} from ${plural(output.used.length, 'file')}; ${changed}.`,
    ...output.imported.map((d) => `  ${label(d.number)}  ${d.title}`),
    ...listed(
      'Already recorded:',
      output.duplicates.map((d) => `${d.title}: ${d.duplicate_of}`),
    ),
    ...listed(
      'Not imported:',
      output.skipped.map((s) => `${s.path}: ${s.reason}`),
    ),
    ...listed('Worth a look:', output.notices),
  ].join('\n')
}
