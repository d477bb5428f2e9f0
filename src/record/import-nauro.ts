import { AppError } from '../kernel/domain/errors.ts'
import { readNauroConfig } from '../kernel/domain/project/nauro-registry.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import type { RegisteredProject } from '../kernel/ports/projects.ts'
import { decisionNumber } from './domain/decision/decision-id.ts'
import { type NauroPlan, planNauroImport } from './domain/import/nauro.ts'
import { isRecordFile, recordText } from './domain/record-path.ts'
import { type NauroStore, findNauroStore } from './find-nauro-store.ts'
import { readSources } from './import-source.ts'
import type { RecordNeeds } from './ports/record-needs.ts'
import type { Draft } from './ports/store.ts'

export interface TakenOver {
  readonly found: NauroStore
  readonly plan: NauroPlan
  /** Undefined in a dry run. */
  readonly project: RegisteredProject | undefined
  readonly written: string[]
  readonly kept: Missing['kept']
  readonly notices: string[]
}

/** Imports a nauro store as a project; a dry run only plans it. The old store is only read. */
export async function takeOverNauro(
  ctx: Call & RecordNeeds & MachineNeeds,
  { path, dry_run }: { path?: string | undefined; dry_run: boolean },
): Promise<TakenOver> {
  const found = await findNauroStore(ctx, path)
  const plan = planNauroImport(await readSources(ctx, found.folder, (file) => /\.(?:md|json|jsonl)$/.test(file)))
  const known =
    found.id === undefined ? undefined : (await ctx.projects.list()).find((project) => project.id === found.id)
  if (known?.location === found.folder)
    throw new AppError('conflict', `The project "${known.name}" already uses this store in place.`, {
      hint: 'Nothing to import.',
    })
  if (dry_run) {
    const missing =
      known === undefined ? { files: plan.files, kept: [] } : await missingFrom(await ctx.record(known), plan)
    const written = missing.files.map((file) => file.path)
    return { found, plan, project: undefined, written, kept: missing.kept, notices: [] }
  }
  const project = known ?? (await register(ctx, found))
  const copied = known?.present && (await isInUse(ctx, known)) ? [] : await copyFiles(ctx, project, plan)
  const added = await addMissing(ctx, project, { plan, source: found.folder })
  const notices = await bindRepositories(ctx, project, found.repositories)
  const written = [...copied, ...added.files.map((file) => file.path)]
  return { found, plan, project, written, kept: added.kept, notices }
}

const register = (ctx: Call, { id, name }: NauroStore): Promise<RegisteredProject> =>
  ctx.projects.create({ name, mode: 'local', repository: undefined, ...(id === undefined ? {} : { id }) })

const isInUse = async (ctx: Call & RecordNeeds, project: RegisteredProject): Promise<boolean> =>
  (await (await ctx.record(project)).journal()).length > 0

/** Copies the files before the record is opened, so that its first change adopts them; an interrupted copy resumes. */
async function copyFiles(ctx: Call & MachineNeeds, project: RegisteredProject, plan: NauroPlan): Promise<string[]> {
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

/** The parts of the store that a record lacks; if both have a part and differ, the record wins. */
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

/** Adds missing files to a record in use, and journals the data that a decision file cannot contain. */
async function addMissing(
  ctx: Call & RecordNeeds,
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

/** Binds only repositories whose config names this project; a repository bound to another Ken project stays there. */
async function bindRepositories(
  ctx: Call & MachineNeeds,
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
