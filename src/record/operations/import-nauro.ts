import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { AT_A_TERMINAL, defineOperation } from '../../operations/operation.ts'
import type { NauroPlan } from '../domain/import/nauro.ts'
import type { NauroStore } from '../find-nauro-store.ts'
import { takeOverNauro } from '../import-nauro.ts'
import { dryRunField, listed, skippedFile } from './record-fields.ts'

const OUTPUT = {
  dry_run: z.boolean(),
  id: z.string().optional().describe('The project, under the id it always had.'),
  name: z.string(),
  store: z.string().optional(),
  source: z.string(),
  written: z.array(z.string()),
  unchanged: z.number(),
  kept: z.array(skippedFile).describe('Files that the record has with another text; they are not changed.'),
  moved: z
    .record(z.string(), z.array(z.string()))
    .describe('Frontmatter keys that would have made a decision unreadable; they went to the journal.'),
  unreadable: z.array(z.object({ path: z.string(), message: z.string() })),
  skipped: z.array(skippedFile),
  notices: z.array(z.string()),
}

export const importNauro = defineOperation({
  name: 'import_nauro',
  title: 'Adopt a nauro store',
  summary: 'Import a nauro store (read-only) as a project.',
  details:
    'A nauro store also works where it is: Ken opens it in a repository that has .nauro/config.json. Importing copies it into the Ken home. Decisions keep number and file name; files are copied byte for byte, snapshots too; only a frontmatter key that makes a decision unreadable goes to the journal instead. Without a path it takes the store of the repository around the working directory. Importing again adds what is new and changes nothing else.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  hiddenFrom: AT_A_TERMINAL,
  positional: ['path'],
  input: {
    path: z
      .string()
      .min(1)
      .optional()
      .describe('A store, a nauro home with one project, or a repository; the working directory by default.'),
    ...dryRunField,
  },
  output: OUTPUT,
  examples: [{ title: 'Try it', input: { path: '../old-laptop/.nauro', dry_run: true } }],
  async run(ctx, input) {
    const { found, plan, project, ...added } = await takeOverNauro(ctx, input)
    return {
      ...answer(found, plan, added),
      dry_run: input.dry_run,
      ...(project && { id: project.id, store: project.location }),
    }
  },
  render,
})

type Output = z.output<z.ZodObject<typeof OUTPUT>>

function answer(found: NauroStore, plan: NauroPlan, added: Pick<Output, 'written' | 'kept' | 'notices'>): Output {
  return {
    dry_run: true,
    ...(found.id === undefined ? {} : { id: found.id }),
    name: found.name,
    source: found.folder,
    written: added.written,
    kept: added.kept,
    unchanged: plan.files.length - added.written.length - added.kept.length,
    moved: Object.fromEntries(Object.entries(plan.moved).map(([path, keys]) => [path, Object.keys(keys)])),
    unreadable: [...plan.unreadable],
    skipped: [...plan.skipped],
    notices: added.notices,
  }
}

function render(output: Output): string {
  const keys = [...new Set(Object.values(output.moved).flat())].join(', ')
  const moved = plural(Object.keys(output.moved).length, 'decision')
  const project = `"${output.name}"${output.id === undefined ? '' : ` (${output.id})`}`
  return [
    `${output.dry_run ? 'Would take over' : 'Took over'} ${project} from ${output.source}: ${plural(output.written.length, 'file')} new, ${output.unchanged} already there.`,
    ...(output.store === undefined ? [] : [`The record is in ${output.store}.`]),
    ...(keys === '' ? [] : [`Keys that no decision may have (${keys}) went from ${moved} to the journal.`]),
    ...output.notices,
    ...listed(
      'Kept as the record has it:',
      output.kept.map((k) => `${k.path}: ${k.reason}`),
    ),
    ...listed(
      'Taken over, but not readable as decisions:',
      output.unreadable.map((u) => `${u.path}: ${u.message}`),
    ),
    ...listed(
      'Left behind:',
      output.skipped.map((s) => `${s.path}: ${s.reason}`),
    ),
  ].join('\n')
}
