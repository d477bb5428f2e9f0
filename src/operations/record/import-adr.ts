import { z } from 'zod'
import { label } from '../../core/decision/decision.ts'
import type { AdrPlan } from '../../core/import/plan.ts'
import { plural } from '../../core/text.ts'
import type { Store } from '../../ports/store.ts'
import { importAdrs } from '../../record/import-adr.ts'
import { decisionId } from '../../record/read-decision.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../operation.ts'
import { dryRunField, listed, recordFields, skippedFile, whose } from './record-fields.ts'

const OUTPUT = {
  ...recordFields,
  dry_run: z.boolean(),
  imported: z.array(
    z.object({
      path: z.string(),
      id: z.string(),
      number: z.number(),
      title: z.string(),
      status: z.string(),
      superseded_by: z.number().optional(),
      date_known: z.boolean().describe('False when the ADR gives none and that of the import is used.'),
    }),
  ),
  duplicates: z.array(z.object({ path: z.string(), duplicate_of: z.string() })),
  skipped: z.array(skippedFile),
  replaced: z
    .array(z.object({ id: z.string(), by: z.string() }))
    .describe('Decisions of the record that an imported one supersedes.'),
  notices: z.array(z.object({ path: z.string(), message: z.string() })),
}

export const importAdr = defineOperation({
  name: 'import_adr',
  title: 'Import ADRs',
  summary: 'Import a folder of architecture decision records (Nygard, MADR, or free in form) as decisions.',
  details:
    'Every file becomes a decision, or is named as a duplicate, or is named with the reason why not; importing twice adds nothing. An ADR keeps its number when it is free, otherwise it gets the next one, and what refers to it follows. Context and decision come first in the rationale, the other sections follow under their headings; options that were not chosen become rejected alternatives. Accepted ADRs become active with confidence high. Superseded or deprecated ones with a known successor become superseded by it. Proposed, rejected, deprecated or superseded ones without a successor, and those whose status is unclear, become active, open with a note of their original status, and are listed; a rejected one says so in its title. Dates come from the ADR, else from its frontmatter, changelog or file name, else from today. The files themselves are only read; .git and node_modules are not looked into.',
  effect: 'write',
  words: 'own',
  hiddenFrom: FOR_PEOPLE,
  positional: ['path'],
  input: { path: z.string().min(1).describe('A folder with ADRs, or one file.'), ...dryRunField, ...projectField },
  output: OUTPUT,
  examples: [
    { title: 'Try it', input: { path: 'docs/adr', dry_run: true } },
    { title: 'A folder', input: { path: 'docs/adr' } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    return answer(store, await importAdrs(ctx, store, input), input.dry_run)
  },
  render,
})

type Output = z.output<z.ZodObject<typeof OUTPUT>>

function answer(store: Store, planned: AdrPlan, dryRun: boolean): Output {
  return {
    ...whose(store),
    dry_run: dryRun,
    imported: planned.imported.map(({ path, adr, decision }) => ({
      path,
      id: decisionId(decision.num),
      number: decision.num,
      title: decision.title,
      status: decision.status,
      ...(decision.superseded_by === null ? {} : { superseded_by: Number(decision.superseded_by) }),
      date_known: adr.date !== undefined,
    })),
    duplicates: planned.duplicates.map(({ path, of }) => ({ path, duplicate_of: decisionId(of) })),
    skipped: [...planned.skipped],
    replaced: planned.replaced.map(({ num, by }) => ({ id: decisionId(num), by: decisionId(by) })),
    notices: [...planned.notices],
  }
}

function render(output: Output): string {
  const superseded = output.imported.filter((i) => i.status === 'superseded').length
  const undated = output.imported.filter((i) => !i.date_known).length
  const files = output.imported.length + output.duplicates.length + output.skipped.length
  const verb = output.dry_run ? 'Would import' : 'Imported'
  return [
    `${verb} ${plural(output.imported.length, 'decision')} from ${plural(files, 'file')}${superseded > 0 ? `, ${superseded} of them superseded` : ''}.`,
    ...(undated > 0 ? [`${plural(undated, 'ADR gives', 'ADRs give')} no date; today's is used.`] : []),
    ...output.imported.map(
      (i) =>
        `  ${label(i.number)}  ${i.title}${i.superseded_by === undefined ? '' : `  (superseded by ${label(i.superseded_by)})`}  ← ${i.path}`,
    ),
    ...listed(
      'Superseded in the record:',
      output.replaced.map((r) => `${r.id} by ${r.by}`),
    ),
    ...listed(
      'Already recorded:',
      output.duplicates.map((d) => `${d.path}: ${d.duplicate_of}`),
    ),
    ...listed(
      'Not imported:',
      output.skipped.map((s) => `${s.path}: ${s.reason}`),
    ),
    ...listed(
      'Worth a look:',
      output.notices.map((n) => `${n.path}: ${n.message}`),
    ),
  ].join('\n')
}
