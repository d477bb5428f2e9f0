import { z } from 'zod'
import { label } from '../../core/decision/decision.ts'
import { formatFaithfully } from '../../core/decision/format.ts'
import { planAdrImport, type AdrPlan, type SourceFile } from '../../core/import/plan.ts'
import type { JournalEvent } from '../../core/journal/event.ts'
import { decisionPath } from '../../core/record/files.ts'
import { plural } from '../../core/text.ts'
import type { Context } from '../../ports/context.ts'
import type { Draft, Store } from '../../ports/store.ts'
import {
  dryRunField,
  isMarkdown,
  knownRecord,
  listed,
  readSources,
  skippedFile,
  stemOfDecision,
  writeDecisions,
} from '../../record/import-source.ts'
import { decisionId, entryOf, readDecision } from '../../record/read-decision.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

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
    const files = await readSources(ctx, input.path, isMarkdown)
    const journal = await store.journal()
    if (input.dry_run) return answer(store, await plan(ctx, store, { files, journal }), true)
    return store.commit(ctx.origin, async (draft) => {
      const planned = await plan(ctx, draft, { files, journal })
      if (planned.imported.length > 0) await write(ctx, draft, { plan: planned, source: input.path })
      return answer(store, planned, false)
    })
  },
  render,
})

type Output = z.output<z.ZodObject<typeof OUTPUT>>

async function plan(
  ctx: Context,
  record: Pick<Draft, 'catalogue' | 'read'>,
  from: { files: readonly SourceFile[]; journal: readonly JournalEvent[] },
): Promise<AdrPlan> {
  return planAdrImport(from.files, await knownRecord(record, from.journal), ctx.clock.now().toISOString().slice(0, 10))
}

async function write(
  ctx: Context,
  draft: Draft,
  { plan: planned, source }: { plan: AdrPlan; source: string },
): Promise<void> {
  await writeDecisions(
    ctx,
    draft,
    planned.imported.map((i) => i.decision),
  )
  const { decisions } = await draft.catalogue()
  for (const { num, by } of planned.replaced) {
    const entry = entryOf(decisions, num)!
    const old = await readDecision(draft, entry.stem)
    if (old !== undefined)
      draft.write(
        decisionPath(entry.stem),
        formatFaithfully({ ...old, status: 'superseded', superseded_by: String(by) }),
      )
  }
  draft.note('import_adr', {
    source,
    files: planned.imported.map(fact),
    skipped: planned.skipped,
    duplicates: planned.duplicates,
  })
  draft.snapshot('import: adr', source)
}

/** Whatever is known beyond the decision file. */
const fact = ({ path, adr, source, decision }: AdrPlan['imported'][number]): Record<string, unknown> => ({
  path,
  sha256: source,
  decision: stemOfDecision(decision),
  ...(adr.number === undefined ? {} : { number: adr.number.number }),
  ...(adr.status.text === '' ? {} : { status: adr.status.text }),
  ...(adr.date === undefined ? { date: 'unknown' } : {}),
  ...(Object.keys(adr.metadata).length === 0 ? {} : { metadata: adr.metadata }),
})

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
