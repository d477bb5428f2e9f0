import { CONTEXT_FOLDER } from '../../context/domain/context-project/scaffold.ts'
import { offersIn, type Offer } from '../../context/operations/find-here.ts'
import { previewContext } from '../../context/operations/init-context.ts'
import { formatRepositoryConfig } from '../../kernel/domain/project/config.ts'
import { plural } from '../../kernel/domain/text.ts'
import { fileDiff } from '../../kernel/domain/text/unified-diff.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { harvest } from '../../memory/operations/harvest.ts'
import type { Given } from '../../operations/context.ts'
import { agentsMdBody } from '../domain/agents-md.ts'
import { CLIENTS, type ClientName } from '../domain/clients.ts'
import type { StartStep } from '../domain/start-receipt.ts'
import type { ClientReport, FileReport } from '../wire-client.ts'
import { agentsInUse, connectAgents, folderName } from './adopt.ts'
import { writeAgentsMd } from './agents-md.ts'
import { findAdrFolders, type AdrFolder } from './find-adr-folders.ts'

export type StartContext = Given<'analyst' | 'context' | 'machine' | 'memory' | 'record'>

/** What there is to set up in a folder. */
export interface Found {
  readonly root: string
  readonly adrs: readonly AdrFolder[]
  readonly sources: readonly Offer[]
  readonly sessions: readonly { readonly client: string; readonly count: number }[]
  /** Why sessions could not be counted. */
  readonly sessionsProblem?: string
  /** Whether this process reads sessions on its own, so that leaving them out would change nothing. */
  readonly isReading: boolean
  readonly clients: readonly ClientName[]
}

export const WIRING = { mode: 'add', withHooks: true, withSkills: false, allowTracked: false } as const

export async function findStart(ctx: StartContext, root: string): Promise<Found> {
  const offers = await offersIn(ctx, root)
  return {
    root,
    adrs: await findAdrFolders(ctx, root),
    // Only files of this folder; the user adds addresses and variables.
    sources: offers.filter(({ words }) => words.length === 1 && !/^[A-Z][A-Z0-9_]*$|:|^[/~]/.test(words[0]!)),
    clients: await agentsInUse(ctx, root),
    ...(await sessionsHere(ctx)),
  }
}

/** Another process may hold the lease of the harvest: that must not hide the rest of the plan. */
async function sessionsHere(ctx: StartContext): Promise<Pick<Found, 'sessions' | 'sessionsProblem' | 'isReading'>> {
  const isReading = ctx.origin.surface === 'app' && ctx.settings.get('upkeep.background').value === true
  if (isReading) {
    const read = Map.groupBy(await (await ctx.upkeep()).archive.list(), ({ client }) => client)
    return { sessions: [...read].map(([client, all]) => ({ client, count: all.length })), isReading }
  }
  try {
    const { clients } = await harvest.run(ctx, { dry_run: true, again: false })
    const counted = clients.map(({ client, new: fresh, changed }) => ({ client, count: fresh + changed }))
    return { sessions: counted.filter(({ count }) => count > 0), isReading }
  } catch (thrown) {
    if (toAppError(thrown).code === 'stopped') throw thrown
    return { sessions: [], sessionsProblem: toAppError(thrown).line, isReading }
  }
}

/** Every step, whether it is chosen or not, with the change of each file that it would write. */
export async function planStart(ctx: StartContext, found: Found): Promise<StartStep[]> {
  const { root, adrs } = found
  const name = folderName(root)
  return [
    {
      id: 'record',
      what: 'Start a record',
      detail: `"${name}", in the Ken home`,
      ...written(ctx, root, [
        created(root, '.ken/config.json', formatRepositoryConfig({ ...NEW, name, schema_version: 1 })),
      ]),
      choice: 'always',
    },
    ...adrs.map(({ path, files: count }): StartStep => ({
      id: `adr:${path}`,
      what: `Import ${path}`,
      detail: `${plural(count, 'decision record')}; the files are only read`,
      files: [],
      choice: 'own',
    })),
    ...(await sourceSteps(ctx, found)),
    ...(await connectAgents(ctx, found.clients, { ...WIRING, root, dryRun: true })).map((report) =>
      agentStep(ctx, root, report),
    ),
    instructionsStep(
      ctx,
      root,
      await instructionFiles(ctx, root, { dryRun: true, body: agentsMdBody({ ...NEW, name }, undefined) }),
    ),
    ...sessionSteps(found),
  ]
}

const SESSIONS = { what: 'Read sessions', files: [] }

function sessionSteps({ sessions, sessionsProblem: problem, isReading }: Found): StartStep[] {
  if (isReading) {
    const counts = sessions.map(({ client, count }) => `${plural(count, `${titleOf(client)} session`)} so far; `)
    const detail = `${counts.join('')}Ken reads them while the app runs, with secrets removed (setting upkeep.background)`
    return [{ ...SESSIONS, id: IN_BACKGROUND, detail, choice: 'always' }]
  }
  if (problem !== undefined) return [{ ...SESSIONS, id: 'sessions', detail: '', choice: 'own', problem }]
  return sessions.map(({ client, count }) => ({
    id: `sessions:${client}`,
    what: `Read ${titleOf(client)} sessions`,
    detail: `${plural(count, 'session')} of all projects on this machine, secrets removed, into the Ken home`,
    files: [],
    choice: 'own',
  }))
}

/** A step that another part of Ken carries out. */
export const IN_BACKGROUND = 'background'

/** Stands for the id of a project that does not exist yet. */
const NEW = { id: 'new', mode: 'local' } as const

/** Location of the context project, unless the folder is one already. */
export async function contextFolder(ctx: StartContext, root: string): Promise<string> {
  return (await ctx.scout.look(`${root}/ken.yaml`)) === undefined ? `${root}/${CONTEXT_FOLDER}` : root
}

async function sourceSteps(ctx: StartContext, { root, sources }: Found): Promise<StartStep[]> {
  if (sources.length === 0) return []
  const folder = await contextFolder(ctx, root)
  const named = sources.map(({ words }) => [`${root}/${words[0]!}`])
  const { files, configs } = await previewContext(ctx, folder, named)
  const isNew = (await ctx.scout.look(`${folder}/ken.yaml`)) === undefined
  const made = Object.entries(files).filter(([path]) => !path.endsWith('.gitkeep') && !path.endsWith('schema.json'))
  return [
    ...(isNew
      ? [
          {
            id: 'context',
            what: 'Make a context project',
            detail: 'what agents are told about the data; the rest of .ken/context is compiled',
            ...written(
              ctx,
              root,
              made.map(([path, text]) => created(root, `${CONTEXT_FOLDER}/${path}`, text)),
            ),
            choice: 'with_sources' as const,
          },
        ]
      : []),
    ...sources.map(({ shown, words }, at): StartStep => {
      const path = `${folder}/ken.yaml`
      return {
        id: `source:${words[0]!}`,
        what: `Compile ${words[0]!}`,
        detail: [shown.what, shown.detail].filter(Boolean).join(', '),
        ...written(ctx, root, [
          { path, change: 'edited', ...(isNew && { diff: fileDiff(path, configs[at], configs[at + 1]) }) },
        ]),
        choice: 'own',
      }
    }),
  ]
}

export const instructionFiles = (
  ctx: StartContext,
  root: string,
  { dryRun, body }: { readonly dryRun: boolean; readonly body: string },
): Promise<FileReport[]> => writeAgentsMd(ctx, { root, mode: 'add', allowTracked: false, dryRun, body })

export const instructionsStep = (ctx: StartContext, root: string, files: readonly FileReport[]): StartStep => ({
  id: 'instructions',
  what: 'Write instructions for agents',
  detail: 'when to look decisions up, and when to record one',
  ...written(ctx, root, files),
  choice: 'own',
})

export function agentStep(ctx: StartContext, root: string, { client, files, problem }: ClientReport): StartStep {
  return {
    id: `agent:${client}`,
    what: `Connect ${titleOf(client)}`,
    detail: problem === undefined ? 'server and hooks' : '',
    ...written(ctx, root, files),
    choice: 'own',
    ...(problem !== undefined && { problem: problem.message }),
  }
}

export const titleOf = (client: string): string => CLIENTS[client as ClientName]?.title ?? client

const created = (root: string, path: string, text: string): FileReport => ({
  path: `${root}/${path}`,
  change: 'created',
  diff: fileDiff(path, undefined, text),
})

/** Files as a step shows them: below the folder or the user's home, and those that stay as they are. */
export function written(
  ctx: StartContext,
  root: string,
  files: readonly FileReport[],
): Pick<StartStep, 'files' | 'diffs' | 'kept'> {
  const home = ctx.clients.places(root)['home']!
  const shown = (path: string): string =>
    path.startsWith(`${root}/`)
      ? path.slice(root.length + 1)
      : path.startsWith(`${home}/`)
        ? `~${path.slice(home.length)}`
        : path
  const diffs = files.flatMap(({ path, diff }) => (diff === undefined ? [] : [{ path: shown(path), diff }]))
  const kept = files.flatMap(({ path, kept: why, shared }) =>
    why === undefined || shared === true ? [] : [`${shown(path)} as it is: ${why}`],
  )
  return {
    files: [...new Set(files.filter(({ change }) => change !== 'unchanged').map(({ path }) => shown(path)))],
    ...(diffs.length > 0 && { diffs }),
    ...(kept.length > 0 && { kept }),
  }
}
