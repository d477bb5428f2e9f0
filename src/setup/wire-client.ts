import { z } from 'zod'
import { AppError } from '../kernel/domain/errors.ts'
import { fileDiff } from '../kernel/domain/text/unified-diff.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import { type Client, type ClientPlaces, type SetupScope, resolvePlace } from './domain/client.ts'
import { CLIENTS, type ClientName } from './domain/clients.ts'
import type { FileChange, Mode, PlannedFile } from './domain/file-change.ts'
import { httpUrl, TOKEN_VARIABLE } from './domain/server-entry.ts'
import { SKILLS, skillFile, type Skill } from './domain/skills.ts'
import { clientChanges, type Wiring } from './domain/wiring.ts'
import type { SetupNeeds } from './ports/setup-needs.ts'

export const fileReport = z.object({
  path: z.string(),
  change: z.enum(['created', 'edited', 'deleted', 'unchanged']),
  backup: z.string().optional().describe('Path of the backup.'),
  kept: z.string().optional().describe('Why the file was left as it is.'),
  shared: z.boolean().optional().describe('True if it stays for other clients that Ken connected.'),
  diff: z.string().optional().describe('Only with dry_run.'),
})

export const clientReport = z.object({
  client: z.string(),
  scope: z.string(),
  files: z.array(fileReport),
  next: z.array(z.string()).describe('Remaining steps for you.'),
  problem: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
})

export type FileReport = z.output<typeof fileReport>
export type ClientReport = z.output<typeof clientReport>

export interface WireRequest {
  readonly client: ClientName
  readonly scope: SetupScope
  readonly root: string
  readonly withHooks: boolean
  readonly withSkills: boolean
  /** The port of a running server; undefined: the client starts one. */
  readonly port?: number | undefined
  readonly mode: Mode
  readonly dryRun: boolean
  readonly allowTracked: boolean
  /** The repository that is adopted or released. */
  readonly adopting?: string | undefined
}

/** Sets one client up, or removes Ken from it, atomically for all of its files. */
export async function wireClient(ctx: Call & SetupNeeds & MachineNeeds, request: WireRequest): Promise<ClientReport> {
  const files = await changeFiles(ctx, clientChanges(await wiringFor(ctx, request), request.mode), request)
  const next = request.mode === 'add' ? stepsAfterSetup(ctx, request) : await stepsAfterRemoval(ctx, request, files)
  return { client: request.client, scope: request.scope, files, next }
}

/** Like `wireClient`, with a failure as part of the report: one failing client must not block the others. */
export async function tryWireClient(
  ctx: Call & SetupNeeds & MachineNeeds,
  request: WireRequest,
): Promise<ClientReport> {
  try {
    return await wireClient(ctx, request)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const { code, message, hint } = thrown
    return {
      client: request.client,
      scope: request.scope,
      files: [],
      next: [],
      problem: { code, message, ...(hint === undefined ? {} : { hint }) },
    }
  }
}

/**
 * Plans the changes and, unless it is a dry run, applies them. A removal lists only files that contained something from
 * Ken.
 */
export async function changeFiles(
  ctx: Call & SetupNeeds,
  changes: readonly FileChange[],
  how: Pick<WireRequest, 'mode' | 'dryRun' | 'allowTracked'>,
): Promise<FileReport[]> {
  const plan = await ctx.clients.plan(changes, how)
  const backups = new Map(
    how.dryRun ? [] : (await ctx.clients.apply(plan)).map((done) => [done.path, done.backup] as const),
  )
  const told = plan.filter((file) => how.mode === 'add' || file.action !== 'none' || file.kept !== undefined)
  return told.map((file) => {
    const backup = backups.get(file.path)
    const diff = how.dryRun && file.action !== 'none' ? fileDiff(file.path, file.before, file.after) : undefined
    return { ...reported(file), ...(backup === undefined ? {} : { backup }), ...(diff === undefined ? {} : { diff }) }
  })
}

const CHANGES = { create: 'created', edit: 'edited', delete: 'deleted', none: 'unchanged' } as const

const reported = (file: PlannedFile): FileReport => ({
  path: file.path,
  change: CHANGES[file.action],
  ...(file.kept === undefined ? {} : { kept: file.kept }),
  ...(file.kept !== undefined && file.receipt !== undefined && { shared: true }),
})

/** Everything needed for the files of one client, regardless of their location on this machine. */
export async function wiringFor(
  ctx: Call & SetupNeeds & MachineNeeds,
  request: Pick<WireRequest, 'client' | 'scope' | 'root' | 'withHooks' | 'withSkills' | 'port' | 'adopting'>,
): Promise<Wiring> {
  const client = CLIENTS[request.client]
  const places = ctx.clients.places(request.root)
  const candidates = client.server[request.scope].places.map((place) => resolvePlace(place, places))
  const present = await Promise.all(candidates.map((path) => ctx.clients.exists(path)))
  const serverPath = candidates[Math.max(0, present.indexOf(true))]!
  const url =
    request.port === undefined
      ? undefined
      : httpUrl(request.port, request.scope === 'project' ? request.root : undefined)
  const skillScope = await skillScopeFor(ctx, client, request.scope, places)
  const { platform } = ctx.clients
  return {
    ...request,
    client,
    places,
    platform,
    launcher: launcherFor(ctx.launcher, request),
    serverPath,
    url,
    skillScope,
  }
}

/** Project files start Ken by name or from the project itself: this machine's paths do not exist on others. */
function launcherFor(
  launcher: readonly string[],
  { scope, root }: Pick<WireRequest, 'scope' | 'root'>,
): readonly string[] {
  const [program = 'ken', script, ...rest] = launcher
  if (scope === 'user') return launcher
  if (script === undefined) return /[/\\]ken$/.test(program) ? ['ken'] : launcher
  return script.startsWith(`${root}/`) ? ['node', `./${script.slice(root.length + 1)}`, ...rest] : launcher
}

/**
 * The scope for a client's skills: the client reads both user and project skills, so writing them in both scopes would
 * duplicate them.
 */
async function skillScopeFor(
  ctx: Call & SetupNeeds,
  client: Client,
  scope: SetupScope,
  places: ClientPlaces,
): Promise<SetupScope> {
  const other = scope === 'user' ? 'project' : 'user'
  const has = async (where: SetupScope): Promise<boolean> => {
    const { folder, form } = client.skills[where]
    const path = (skill: Skill) => `${resolvePlace(folder, places)}/${skillFile(skill, form).path}`
    return (await Promise.all(SKILLS.map((skill) => ctx.clients.exists(path(skill))))).includes(true)
  }
  return !(await has(scope)) && (await has(other)) ? other : scope
}

function stepsAfterSetup(ctx: Call & MachineNeeds, request: WireRequest): string[] {
  const { approval } = CLIENTS[request.client]
  const again = `ken ${request.adopting === undefined ? `setup ${request.client}` : 'adopt'}${request.withHooks ? ' --with-hooks' : ''}`
  const viaNpx = ctx.launcher.includes('npx')
    ? `Install the command \`ken\`, since npx starts slowly: \`npm install -g kenbase\`, then \`${again}\`.`
    : ''
  const server =
    request.port === undefined
      ? []
      : [
          request.scope === 'project'
            ? 'Start the server with `ken serve --http` and keep it running.'
            : 'Start the server with `ken serve --http --project <name or folder>` and keep it running.',
          `Set ${TOKEN_VARIABLE} where you start the client: export ${TOKEN_VARIABLE}="$(cat ~/.ken/http-token)". The server makes that file; no file of the client holds the token.`,
        ]
  return [...server, approval.server[request.scope], request.withHooks ? approval.hooks : '', viaNpx].filter(
    (step) => step !== '',
  )
}

/** Points to the other scope if there was nothing to remove in this one. */
async function stepsAfterRemoval(
  ctx: Call & SetupNeeds & MachineNeeds,
  request: WireRequest,
  files: readonly FileReport[],
): Promise<string[]> {
  if (files.some((file) => file.change !== 'unchanged')) return []
  const scope = request.scope === 'user' ? 'project' : 'user'
  try {
    const elsewhere = await ctx.clients.plan(clientChanges(await wiringFor(ctx, { ...request, scope }), 'remove'), {
      mode: 'remove',
      allowTracked: true,
    })
    if (elsewhere.every((file) => file.action === 'none')) return []
  } catch {
    return []
  }
  return [
    `Nothing to remove in the ${request.scope} scope. For the other: \`ken setup ${request.client} --remove --scope ${scope}\`.`,
  ]
}

/** A report as text: the outcome for each file, then the remaining steps. */
export function renderReport(report: ClientReport, dryRun: boolean): string {
  const heading = `${CLIENTS[report.client as ClientName]?.title ?? report.client} (${report.scope})`
  if (report.problem !== undefined)
    return [
      heading,
      `  ${report.problem.message}`,
      ...(report.problem.hint === undefined ? [] : [`  ${report.problem.hint}`]),
    ].join('\n')
  return [heading, ...renderFiles(report.files, dryRun), ...report.next.map((step) => `  Next: ${step}`)].join('\n')
}

export function renderFiles(files: readonly FileReport[], dryRun: boolean): string[] {
  const said = files.flatMap((file) => {
    const verb = dryRun && file.change !== 'unchanged' ? `would be ${file.change}` : file.change
    const line = `  ${file.path}  ${file.kept === undefined ? verb : `kept: ${file.kept}`}`
    return [
      line,
      ...(file.backup === undefined ? [] : [`    backup: ${file.backup}`]),
      ...(file.diff === undefined ? [] : [file.diff]),
    ]
  })
  return said.length === 0 ? ['  no changes'] : said
}
