import { z } from 'zod'
import { decisionNumber } from '../../core/decision/decision-number.ts'
import { AppError } from '../../core/errors.ts'
import { readNauroConfig } from '../../core/import/nauro-registry.ts'
import { planNauroImport, type NauroPlan } from '../../core/import/nauro.ts'
import { isRecordFile, recordText } from '../../core/record/record-path.ts'
import { plural } from '../../core/text.ts'
import type { Context } from '../../ports/context.ts'
import type { RegisteredProject } from '../../ports/projects.ts'
import type { Draft } from '../../ports/store.ts'
import { findNauroStore, type NauroStore } from '../../record/find-nauro-store.ts'
import { dryRunField, listed, readSources, skippedFile } from '../../record/import-source.ts'
import { defineOperation, FOR_PEOPLE } from '../operation.ts'

const OUTPUT = {
  dry_run: z.boolean(),
  id: z.string().optional().describe('The project, under the id it always had.'),
  name: z.string(),
  store: z.string().optional(),
  source: z.string(),
  written: z.array(z.string()),
  unchanged: z.number(),
  kept: z.array(skippedFile).describe('Files that the record has with another text; they stay as they are.'),
  moved: z
    .record(z.string(), z.array(z.string()))
    .describe('Frontmatter keys that went from a decision to the journal.'),
  unreadable: z.array(z.object({ path: z.string(), message: z.string() })),
  skipped: z.array(skippedFile),
  notices: z.array(z.string()),
}

export const importNauro = defineOperation({
  name: 'import_nauro',
  title: 'Adopt a nauro store',
  summary: 'Take a nauro store over as a project of Ken, under its own id; the old store is only read.',
  details:
    'A nauro store also works where it is: Ken opens it in a repository that has .nauro/config.json. Importing copies it into the Ken home. Decisions keep number and file name; frontmatter keys beyond the ten of the format go to the journal; every other file is copied byte for byte, snapshots too. Without a path it takes the store of the repository around the working directory. Importing again adds what is new and changes nothing else.',
  effect: 'write',
  words: 'own',
  hiddenFrom: FOR_PEOPLE,
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
    const found = await findNauroStore(ctx, input.path)
    const plan = planNauroImport(await readSources(ctx, found.folder, (path) => /\.(?:md|json|jsonl)$/.test(path)))
    const known =
      found.id === undefined ? undefined : (await ctx.projects.list()).find((project) => project.id === found.id)
    if (known?.location === found.folder)
      throw new AppError('conflict', `"${known.name}" already works on this store where it lies.`, {
        hint: 'There is nothing to import.',
      })
    if (input.dry_run) {
      const missing =
        known === undefined ? { files: plan.files, kept: [] } : await missingFrom(await ctx.record(known), plan)
      return answer(found, plan, { written: missing.files.map((file) => file.path), kept: missing.kept })
    }
    const project = known ?? (await register(ctx, found))
    const copied = known?.present && (await isInUse(ctx, known)) ? [] : await copyFiles(ctx, project, plan)
    const added = await addMissing(ctx, project, { plan, source: found.folder })
    const notices = await bindRepositories(ctx, project, found.repositories)
    const written = [...copied, ...added.files.map((file) => file.path)]
    return {
      ...answer(found, plan, { written, kept: added.kept }),
      dry_run: false,
      id: project.id,
      store: project.location,
      notices,
    }
  },
  render,
})

type Output = z.output<z.ZodObject<typeof OUTPUT>>

const register = (ctx: Context, { id, name }: NauroStore): Promise<RegisteredProject> =>
  ctx.projects.create({ name, mode: 'local', repository: undefined, ...(id === undefined ? {} : { id }) })

const isInUse = async (ctx: Context, project: RegisteredProject): Promise<boolean> =>
  (await (await ctx.record(project)).journal()).length > 0

/**
 * Puts the files in place before the record is opened, which then takes them over with its first change; an interrupted
 * copy goes on.
 */
async function copyFiles(ctx: Context, project: RegisteredProject, plan: NauroPlan): Promise<string[]> {
  const written: string[] = []
  for (const [i, { path, from, text }] of plan.files.entries()) {
    ctx.progress(`Copying ${from}`, i, plan.files.length)
    const place = `${project.location}/${path}`
    if ((await ctx.files.read(place)) !== undefined) continue
    await ctx.files.write(place, text, { replace: false })
    written.push(path)
  }
  return written
}

interface Missing {
  readonly files: NauroPlan['files']
  readonly kept: { path: string; reason: string }[]
}

/** What of the store a record does not have; where it says something else, the record is right. */
async function missingFrom(record: Pick<Draft, 'catalogue' | 'read'>, plan: NauroPlan): Promise<Missing> {
  const { decisions } = await record.catalogue()
  const files: NauroPlan['files'][number][] = []
  const kept: Missing['kept'] = []
  for (const file of plan.files.filter((f) => isRecordFile(f.path))) {
    const present = await record.read(file.path)
    const rival = decisions.find(
      (d) => file.path.startsWith('decisions/') && d.num === decisionNumber(file.path.slice('decisions/'.length)),
    )
    if (present === recordText(file.text)) continue
    if (present !== undefined) kept.push({ path: file.path, reason: 'the record has another text under this name' })
    else if (rival !== undefined) kept.push({ path: file.path, reason: `its number belongs to ${rival.stem}` })
    else files.push(file)
  }
  return { files, kept }
}

/** Adds what a record in use does not have yet, and tells the journal what no decision file can hold. */
async function addMissing(
  ctx: Context,
  project: RegisteredProject,
  from: { plan: NauroPlan; source: string },
): Promise<Missing> {
  const store = await ctx.record(project)
  const isFirst = !(await store.journal()).some((event) => event.operation === 'import_nauro')
  return store.commit(ctx.origin, async (draft) => {
    const missing = await missingFrom(draft, from.plan)
    for (const { path, text } of missing.files) draft.write(path, text)
    if (isFirst || missing.files.length > 0) {
      draft.note('import_nauro', { source: from.source, moved: from.plan.moved, skipped: from.plan.skipped })
      draft.snapshot('import: nauro', from.source)
    }
    return missing
  })
}

/** Only repositories that name this project themselves; one that belongs to another project of Ken stays there. */
async function bindRepositories(
  ctx: Context,
  project: RegisteredProject,
  repositories: readonly string[],
): Promise<string[]> {
  const notices: string[] = []
  for (const repository of repositories.filter((path) => !project.repositories.includes(path))) {
    const config = readNauroConfig((await ctx.files.read(`${repository}/.nauro/config.json`)) ?? '')
    if (config?.id !== project.id) continue
    try {
      await ctx.projects.bind(project, repository)
      notices.push(`${repository} now belongs to the project.`)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error
      notices.push(`${error.message} It was not bound to this one.`)
    }
  }
  return notices
}

function answer(found: NauroStore, plan: NauroPlan, added: Pick<Output, 'written' | 'kept'>): Output {
  return {
    dry_run: true,
    ...(found.id === undefined ? {} : { id: found.id }),
    name: found.name,
    source: found.folder,
    ...added,
    unchanged: plan.files.length - added.written.length - added.kept.length,
    moved: Object.fromEntries(Object.entries(plan.moved).map(([path, keys]) => [path, Object.keys(keys)])),
    unreadable: [...plan.unreadable],
    skipped: [...plan.skipped],
    notices: [],
  }
}

function render(output: Output): string {
  const keys = [...new Set(Object.values(output.moved).flat())].join(', ')
  const moved = plural(Object.keys(output.moved).length, 'decision has', 'decisions have')
  const project = `"${output.name}"${output.id === undefined ? '' : ` (${output.id})`}`
  return [
    `${output.dry_run ? 'Would take over' : 'Took over'} ${project} from ${output.source}: ${plural(output.written.length, 'file')} new, ${output.unchanged} already there.`,
    ...(output.store === undefined ? [] : [`The record is in ${output.store}.`]),
    ...(keys === '' ? [] : [`${moved} keys beyond the format (${keys}); they are in the journal.`]),
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
