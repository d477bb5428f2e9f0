import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { AT_A_TERMINAL, defineOperation, projectField } from '../../operations/operation.ts'
import { label } from '../domain/decision/decision.ts'
import { type AdrImport, importAdrs } from '../import-adr.ts'
import type { Store } from '../ports/store.ts'
import { decisionId } from '../read-decision.ts'
import { type InferredRejection, inferredIn, inferredRejections } from '../review-inferred.ts'
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
      date_known: z.boolean().describe('False when the ADR itself gives none.'),
      dated_by: z
        .enum(['adr', 'git', 'file', 'today'])
        .describe('Its own word, the commit that added the file, the last change of the file, or the import.'),
    }),
  ),
  duplicates: z.array(z.object({ path: z.string(), duplicate_of: z.string() })),
  skipped: z.array(skippedFile),
  drafts: z
    .array(z.object({ path: z.string(), title: z.string(), status: z.string(), question: z.string().optional() }))
    .describe('Proposed ADRs: they become open questions; missing if already asked.'),
  not_in_force: z
    .object({ id: z.string(), decisions: z.array(z.string()) })
    .optional()
    .describe('The decision that supersedes what was rejected or retired without a successor.'),
  replaced: z
    .array(z.object({ id: z.string(), by: z.string() }))
    .describe('Decisions of the record that an imported one supersedes.'),
  notices: z.array(z.object({ path: z.string(), message: z.string() })),
  inferred: z
    .array(
      z.object({
        id: z.string(),
        number: z.number(),
        title: z.string(),
        alternative: z.string(),
        sentence: z.string(),
      }),
    )
    .describe('Rejected alternatives that no text plainly states, with the sentence each was inferred from.'),
}

export const importAdr = defineOperation({
  name: 'import_adr',
  title: 'Import ADRs',
  summary: 'Import a folder of architecture decision records (Nygard, MADR, other).',
  details:
    'Every file becomes a decision, or is named as a duplicate, or is named with the reason why not; importing twice adds nothing. An ADR keeps its number when it is free, otherwise it gets the next one, and what refers to it follows. The decision comes first in the rationale, the other sections follow under their headings; options that were not chosen become rejected alternatives. What no sentence plainly states is marked as inferred: it fails no guard, `ken import adr --review` lists it, and `ken accept` confirms or removes it. Accepted ADRs become active with confidence high. Superseded or deprecated ones with a known successor become superseded by it. Those that were rejected, withdrawn, deprecated or superseded without a successor become superseded too, by one decision that lists them and turns the rejected ones down by name. Proposed ones and drafts are not decided: each becomes an open question, which is answered when a later import finds it accepted. An unclear status becomes active with a note that says so. Number 1 is kept as well: the decision that only started the record gives way. Dates come from the ADR, else from its frontmatter, changelog or file name, else from its last modification as it states it, else from the commit that added the file, else from the file itself. The files themselves are only read; .git and node_modules are not looked into.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  hiddenFrom: AT_A_TERMINAL,
  positional: ['path'],
  input: {
    path: z.string().min(1).optional().describe('A folder with ADRs, or one file.'),
    review: z.boolean().default(false).describe('Import nothing; list inferred alternatives pending review.'),
    ...dryRunField,
    ...projectField,
  },
  output: OUTPUT,
  examples: [
    { title: 'Try it', input: { path: 'docs/adr', dry_run: true } },
    { title: 'A folder', input: { path: 'docs/adr' } },
    { title: 'Inferred rejections', input: { review: true } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    if (input.review) return { ...answer(store, NOTHING, true), inferred: (await inferredRejections(store)).map(fact) }
    const { path, dry_run } = input
    if (path === undefined)
      throw new AppError('invalid_input', 'Name a folder with ADRs, or pass --review.', {
        hint: 'E.g. `ken import adr docs/adr`.',
      })
    return answer(store, await importAdrs(ctx, store, { path, dry_run }), dry_run)
  },
  render,
})

const NOTHING: AdrImport = {
  imported: [],
  duplicates: [],
  skipped: [],
  replaced: [],
  drafts: [],
  ended: undefined,
  yielded: undefined,
  notices: [],
  asked: [],
}

const fact = ({ num, ...one }: InferredRejection): Output['inferred'][number] => ({
  id: decisionId(num),
  number: num,
  ...one,
})

type Output = z.output<z.ZodObject<typeof OUTPUT>>

function answer(store: Store, planned: AdrImport, dryRun: boolean): Output {
  return {
    ...whose(store),
    dry_run: dryRun,
    imported: planned.imported.map(({ path, adr, decision, datedBy }) => ({
      path,
      id: decisionId(decision.num),
      number: decision.num,
      title: decision.title,
      status: decision.status,
      ...(decision.superseded_by === null ? {} : { superseded_by: Number(decision.superseded_by) }),
      date_known: adr.date !== undefined,
      dated_by: datedBy,
    })),
    duplicates: planned.duplicates.map(({ path, of }) => ({ path, duplicate_of: decisionId(of) })),
    skipped: [...planned.skipped],
    drafts: planned.drafts.map((draft) => {
      const question = planned.asked.find(({ path }) => path === draft.path)?.question
      return { ...draft, ...(question && { question }) }
    }),
    ...(planned.ended && {
      not_in_force: {
        id: decisionId(planned.ended.by),
        decisions: planned.ended.adrs.map(({ num }) => decisionId(num)),
      },
    }),
    replaced: planned.replaced.map(({ num, by }) => ({ id: decisionId(num), by: decisionId(by) })),
    notices: [...planned.notices],
    inferred: planned.imported.flatMap(({ decision }) => inferredIn(decision)).map(fact),
  }
}

function renderReview({ inferred }: Output): string {
  if (inferred.length === 0) return 'Nothing to review: no rejected alternative is only inferred.'
  return [
    `${plural(inferred.length, 'rejected alternative')} inferred by an import, not reviewed:`,
    ...[...Map.groupBy(inferred, ({ number }) => number)].flatMap(([number, own]) => [
      `  ${label(number)}  ${own[0]!.title}`,
      ...own.map(({ alternative, sentence }) => `      ${alternative}  ← "${sentence}"`),
    ]),
    '',
    `\`ken accept ${inferred[0]!.number}\` keeps those of ${label(inferred[0]!.number)}; \`--rejected <name>\` keeps one, \`--not-rejected <name>\` removes one.`,
  ].join('\n')
}

function render(output: Output, input: { review?: boolean | undefined }): string {
  if (input.review) return renderReview(output)
  const superseded = output.imported.filter((i) => i.status === 'superseded').length
  const dated = (by: string) => output.imported.filter((i) => i.dated_by === by).length
  const files = output.imported.length + output.duplicates.length + output.skipped.length
  const verb = output.dry_run ? 'Would import' : 'Imported'
  return [
    `${verb} ${plural(output.imported.length, 'decision')} from ${plural(files, 'file')}${superseded > 0 ? `, ${superseded} of them superseded` : ''}.`,
    ...(
      [
        ['git', 'the commit that added the file'],
        ['file', 'the last change of the file'],
        ['today', 'today'],
      ] as const
    ).flatMap(([by, whose]) =>
      dated(by) > 0 ? [`${plural(dated(by), 'ADR gives', 'ADRs give')} no date; that of ${whose} is used.`] : [],
    ),
    ...output.imported.map(
      (i) =>
        `  ${label(i.number)}  ${i.title}${i.superseded_by === undefined ? '' : `  (superseded by ${label(i.superseded_by)})`}  ← ${i.path}`,
    ),
    ...listed(
      'Only proposed, so asked about and not recorded:',
      output.drafts.map((d) => `${d.question ?? 'asked before'}  ${d.title}  ← ${d.path}`),
    ),
    ...(output.not_in_force === undefined
      ? []
      : [
          '',
          `${plural(output.not_in_force.decisions.length, 'rejected or retired ADR is', 'rejected or retired ADRs are')} listed in ${output.not_in_force.id}.`,
        ]),
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
      output.skipped
        .filter((s) => !output.drafts.some(({ path }) => path === s.path))
        .map((s) => `${s.path}: ${s.reason}`),
    ),
    ...listed(
      'Worth a look:',
      output.notices.map((n) => `${n.path}: ${n.message}`),
    ),
    ...(output.inferred.length === 0
      ? []
      : [
          '',
          `${plural(output.inferred.length, 'rejected alternative')} inferred, not plainly stated; \`ken import adr --review\` lists them.`,
        ]),
  ].join('\n')
}
