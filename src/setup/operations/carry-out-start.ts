import { addSources } from '../../context/operations/add-sources.ts'
import { makeContextProject } from '../../context/operations/init-context.ts'
import { syncSources } from '../../context/operations/sync-sources.ts'
import { isOurs } from '../../context/write-item.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { plural } from '../../kernel/domain/text.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { harvest } from '../../memory/operations/harvest.ts'
import { importAdrs } from '../../record/import-adr.ts'
import type { ClientName } from '../domain/clients.ts'
import type { StartReceipt, StartStep } from '../domain/start-receipt.ts'
import type { FileReport } from '../wire-client.ts'
import { connectAgents, startProject } from './adopt.ts'
import { agentsMdText } from './agents-md.ts'
import { usualScope } from './setup.ts'
import {
  agentStep,
  contextFolder,
  IN_BACKGROUND,
  instructionFiles,
  instructionsStep,
  titleOf,
  WIRING,
  type StartContext,
} from './start-plan.ts'

type Done = Partial<Omit<StartStep, 'id' | 'choice'>>

/** A receipt in the making. */
type Notes = { -readonly [K in keyof StartReceipt]: StartReceipt[K] }

/**
 * Runs the chosen steps in their order, each on its own: a damaged database must not prevent the import of decisions.
 * The receipt is kept even after an interruption, so that what was done can be undone.
 */
export async function carryOutStart(
  ctx: StartContext,
  root: string,
  chosen: readonly StartStep[],
): Promise<StartReceipt> {
  const lists = [...(await ctx.startLog.missingLists())]
  const project = await startProject(ctx, root, { name: undefined, dry_run: false })
  const receipt: Notes = {
    root,
    project: project.id!,
    steps: [
      {
        id: 'record',
        what: 'Started the record',
        detail: `"${project.name}"`,
        files: ['.ken/config.json'],
        choice: 'always',
      },
    ],
    next: [],
    events: 0,
    agents: [],
    hasInstructions: false,
    sessions: [],
    backups: [],
    lists,
  }
  const rest = inOneHarvest(
    chosen.filter(({ id, problem }) => id !== 'record' && id !== IN_BACKGROUND && problem === undefined),
  )
  try {
    for (const [at, step] of rest.entries()) {
      ctx.progress(step.what, at + 1, rest.length + 1)
      const nested = {
        ...ctx,
        progress: (message: string) => ctx.progress(`${step.what}: ${message}`, at + 1, rest.length + 1),
      }
      receipt.steps.push({ ...step, ...(await attempt(() => runStep(nested, { root, step, chosen }, receipt))) })
    }
    // A step that is not possible is reported, as in the plan.
    receipt.steps.push(...chosen.filter(({ problem }) => problem !== undefined))
  } finally {
    if (receipt.context !== undefined) receipt.context.files = await editedFiles(ctx, receipt.context.root)
    receipt.events = (await (await ctx.record()).journal()).length
    receipt.steps = receipt.steps.map(({ diffs: _, ...step }) => step)
    receipt.next = [...new Set(receipt.next)]
    await ctx.startLog.keep(receipt)
  }
  return receipt
}

async function attempt(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (thrown) {
    if (toAppError(thrown).code === 'stopped') throw thrown
    return { detail: '', files: [], problem: toAppError(thrown).line }
  }
}

const SESSIONS = 'sessions:'

/** All sessions are read in one run: each run also brings the index up to date. */
function inOneHarvest(steps: readonly StartStep[]): StartStep[] {
  const [first, ...others] = steps.filter(({ id }) => id.startsWith(SESSIONS))
  if (first === undefined || others.length === 0) return [...steps]
  const titles = [first, ...others].map(({ id }) => titleOf(id.slice(SESSIONS.length)))
  return steps.flatMap((step) =>
    step === first ? [{ ...step, what: `Read ${titles.join(', ')} sessions` }] : others.includes(step) ? [] : [step],
  )
}

interface Wanted {
  readonly root: string
  readonly step: StartStep
  readonly chosen: readonly StartStep[]
}

async function runStep(ctx: StartContext, { root, step, chosen }: Wanted, notes: Notes): Promise<Done> {
  const [kind = '', ...parts] = step.id.split(':')
  const name = parts.join(':')
  switch (kind) {
    case 'adr':
      return importFolder(ctx, root, name, notes)
    case 'context':
      return makeContext(ctx, root, notes)
    case 'source':
      return compileSource(ctx, root, name, notes)
    case 'agent':
      return connectAgent(ctx, root, name as ClientName, notes)
    case 'instructions':
      return writeInstructions(ctx, root, notes)
    default:
      return readSessions(ctx, idsAfter(chosen, SESSIONS), notes)
  }
}

const idsAfter = (steps: readonly StartStep[], prefix: string): string[] =>
  steps.flatMap(({ id }) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []))

async function importFolder(ctx: StartContext, root: string, path: string, notes: Notes): Promise<Done> {
  const store = await ctx.record()
  const { imported, drafts } = await importAdrs(ctx, store, { path: `${root}/${path}`, dry_run: false })
  if (drafts.length > 0)
    notes.next.push(
      `Settle ${plural(drafts.length, 'open question')} from proposed ADRs: ${operationNamed('questions')}.`,
    )
  return { what: `Imported ${path}`, detail: plural(imported.length, 'decision') }
}

async function makeContext(ctx: StartContext, root: string, notes: Notes): Promise<Done> {
  const folder = await contextFolder(ctx, root)
  const request = { folder, database: [], repository: [], docs: [], source: [] }
  const made = await makeContextProject(ctx, request, { asks: false })
  if (made.created.includes('ken.yaml')) notes.context = { root: folder, files: await editedFiles(ctx, folder) }
  return { what: 'Made a context project', detail: '' }
}

/** Hashes of the files of a context project that hold people's work: all but those that Ken compiled and nobody edited. */
export async function editedFiles(ctx: StartContext, folder: string): Promise<Record<string, string>> {
  const compiled = await compiledFiles(ctx, folder)
  const paths = ((await ctx.files.list(folder)) ?? []).filter((path) => !OWN_FILE.test(path))
  const edited: Record<string, string> = {}
  for (const path of paths) {
    const text = (await ctx.files.read(`${folder}/${path}`)) ?? ''
    const { file, unfinished = false } = compiled.get(path) ?? {}
    if (!isOurs(text, file, unfinished)) edited[path] = sha256(text)
  }
  return edited
}

const OWN_FILE = /^\.ken\/|(?:^|\/)\.gitkeep$/

/** By path. Without a manifest that can be read, only the frontmatter of a file shows that Ken compiled it. */
async function compiledFiles(ctx: StartContext, folder: string) {
  const entries = await ctx.contextProject(folder).then(
    async ({ tree }) => [...(await tree.load()).values()],
    () => [],
  )
  return new Map(entries.flatMap(({ files, unfinished }) => files.map((file) => [file.path, { file, unfinished }])))
}

async function compileSource(ctx: StartContext, root: string, word: string, notes: Notes): Promise<Done> {
  const folder = await contextFolder(ctx, root)
  const [added] = await addSources(ctx, folder, { given: [[`${root}/${word}`]], yes: true, test: false })
  if (notes.context === undefined && !added!.already)
    notes.added = {
      root: folder,
      keys: [...(notes.added?.keys ?? []), added!.key],
      config: await hashOfConfig(ctx, folder),
    }
  const { failures } = await syncSources.run(ctx, { ...SYNC, only: [added!.name] })
  const [failed] = failures
  return { what: `Compiled ${word}`, ...(failed !== undefined && { problem: failed.message }) }
}

export const hashOfConfig = async (ctx: StartContext, folder: string): Promise<string> =>
  sha256((await ctx.files.read(`${folder}/ken.yaml`)) ?? '')

const SYNC = { threads: 4, check: false, dry_run: false, force: false, watch: false, every: 60 }

async function connectAgent(ctx: StartContext, root: string, client: ClientName, notes: Notes): Promise<Done> {
  const [report] = await connectAgents(ctx, [client], { ...WIRING, root, dryRun: false })
  if (report!.problem === undefined) notes.agents.push({ client, scope: usualScope(client, true) })
  keepBackups(report!.files, notes)
  notes.next.push(...report!.next)
  const { detail, files, problem } = agentStep(ctx, root, report!)
  return { what: `Connected ${titleOf(client)}`, detail, files, ...(problem !== undefined && { problem }) }
}

async function writeInstructions(ctx: StartContext, root: string, notes: Notes): Promise<Done> {
  const body = await agentsMdText(ctx, root, undefined)
  const files = await instructionFiles(ctx, root, { dryRun: false, body })
  notes.hasInstructions = true
  keepBackups(files, notes)
  return { ...instructionsStep(ctx, root, files), what: 'Wrote instructions for agents', detail: '' }
}

const keepBackups = (files: readonly FileReport[], notes: Notes): void => {
  notes.backups.push(...files.flatMap(({ path, backup }) => (backup === undefined ? [] : [{ path, backup }])))
}

async function readSessions(ctx: StartContext, clients: readonly string[], notes: Notes): Promise<Done> {
  const { archive } = await ctx.upkeep()
  const pathsNow = async () => (await archive.list()).map(({ path }) => path)
  const before = new Set(await pathsNow())
  try {
    const done = await harvest.run(ctx, { client: [...clients], dry_run: false, again: false })
    const read = done.clients.reduce((sum, one) => sum + one.new + one.changed, 0)
    return { what: `Read ${clients.map(titleOf).join(', ')} sessions`, detail: plural(read, 'session') }
  } finally {
    notes.sessions = (await pathsNow()).filter((path) => !before.has(path))
  }
}
