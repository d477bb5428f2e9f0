import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { refuseLost } from '../../kernel/domain/project/disconnected.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, AT_A_TERMINAL } from '../../operations/operation.ts'
import { startRecord } from '../../record/start-record.ts'
import { agentsMdBody } from '../domain/agents-md.ts'
import { resolvePlace, type SetupScope } from '../domain/client.ts'
import { CLIENT_NAMES, CLIENTS, type ClientName } from '../domain/clients.ts'
import { SKILLS } from '../domain/skills.ts'
import {
  clientReport,
  fileReport,
  renderFiles,
  renderReport,
  tryWireClient,
  type ClientReport,
  type WireRequest,
} from '../wire-client.ts'
import { agentsMdText, writeAgentsMd } from './agents-md.ts'
import { projectNamed } from './attach.ts'
import { projectPlace, usualScope } from './setup.ts'

const INPUT = {
  clients: z
    .array(z.enum([...CLIENT_NAMES, 'all']))
    .optional()
    .describe('Agents to connect; default: those in use here.'),
  name: z.string().optional().describe('The name of a new project; the folder name by default.'),
  project: z.string().max(200).optional().describe('Id or name of an existing project to bind the repository to.'),
  with_hooks: z.boolean().default(false).describe('Also install the hooks.'),
  with_skills: z.boolean().default(false).describe('Also install the skills.'),
  remove: z.boolean().default(false).describe('Undo `ken adopt`; keeps the record and what `ken setup` did.'),
  print_prompt: z
    .boolean()
    .default(false)
    .describe('Only print a prompt that makes an agent seed the record from this repository.'),
  dry_run: z.boolean().default(false).describe('Only show what would change.'),
  allow_tracked: z.boolean().default(false).describe('Also change files that git tracks.'),
}

const OUTPUT = {
  dry_run: z.boolean(),
  repository: z.string(),
  project: z.object({
    id: z.string().optional(),
    name: z.string(),
    binding: z.enum(['started', 'bound', 'kept', 'released', 'none']),
  }),
  clients: z.array(clientReport),
  files: z.array(fileReport),
  next: z.array(z.string()),
  prompt: z.string().optional().describe('Only with print_prompt.'),
}

type Input = z.output<z.ZodObject<typeof INPUT>>
type Output = z.output<z.ZodObject<typeof OUTPUT>>

export const adopt = defineOperation({
  name: 'adopt',
  title: 'Adopt a repository',
  summary: 'Set up a repository: start a record, connect agents, write AGENTS.md.',
  details:
    'Starts a record if the repository has none; --project binds it to one that exists. Without names it connects every agent that it finds traces of. --remove takes it all back: agents, AGENTS.md and the binding; the record stays, and so do agents that were connected with `ken setup`. `ken adopt --project <name>` is the way back.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  hiddenFrom: AT_A_TERMINAL,
  positional: ['clients'],
  input: INPUT,
  output: OUTPUT,
  examples: [{ title: 'What it would do', input: { clients: ['claude-code'], dry_run: true } }],
  async run(ctx, input) {
    if (input.print_prompt) return promptAlone(ctx)
    return input.remove ? release(ctx, input) : takeIn(ctx, input)
  },
  render(output) {
    if (output.prompt !== undefined) return output.prompt
    const { name, binding } = output.project
    const project =
      binding === 'none'
        ? 'belongs to no project'
        : binding === 'kept'
          ? `project "${name}", already bound`
          : `project "${name}" ${output.dry_run ? 'would be ' : ''}${binding}`
    return [
      `${output.repository}\n  ${project}`,
      ...output.clients.map((report) => renderReport(report, output.dry_run)),
      ['Instructions for agents', ...renderFiles(output.files, output.dry_run)].join('\n'),
      ...(output.next.length === 0 ? [] : [['Next:', ...output.next.map((step) => `  ${step}`)].join('\n')]),
    ].join('\n\n')
  },
  exit: (output) => (output.clients.some((report) => report.problem !== undefined) ? 1 : 0),
})

/** Returns the skill's text to paste, for agents without skills. */
async function promptAlone(ctx: Given<'record'>): Promise<Output> {
  const { root } = await projectPlace(ctx)
  const { body } = SKILLS.find((skill) => skill.name === 'ken-adopt')!
  const nothing = { dry_run: true, clients: [], files: [], next: [] }
  return { ...nothing, repository: root, project: { name: '', binding: 'none' }, prompt: body.trim() }
}

async function takeIn(ctx: Given<'machine' | 'record'>, input: Input): Promise<Output> {
  const { root } = await projectPlace(ctx)
  const project = await bindProject(ctx, root, input)
  const how = { root, mode: 'add', dryRun: input.dry_run, allowTracked: input.allow_tracked } as const
  const names = named(input.clients) ?? (await agentsInUse(ctx, root))
  const parts = { withHooks: input.with_hooks, withSkills: input.with_skills }
  const clients = await connectAgents(ctx, names, { ...how, ...parts })
  // Only a dry run has no id yet.
  const body =
    project.id === undefined
      ? agentsMdBody({ id: 'new', name: project.name }, undefined)
      : await agentsMdText(ctx, root, project.id)
  const next = [
    ...(names.length === 0 ? ['ken setup <client>   no agent was found here; connect the one you use'] : []),
    ...(project.binding === 'started'
      ? [
          `${input.with_skills ? 'Ask' : 'Run `ken adopt --with-skills` and ask'} your agent to seed the record from this repository, or \`ken import adr <folder>\`.`,
        ]
      : []),
  ]
  return {
    dry_run: input.dry_run,
    repository: root,
    project,
    clients,
    files: await writeAgentsMd(ctx, { ...how, body }),
    next,
  }
}

/** Connects agents for an adopted folder, each in its usual scope; one that fails does not block the others. */
export async function connectAgents(
  ctx: Given<'machine'>,
  names: readonly ClientName[],
  how: Omit<WireRequest, 'client' | 'scope' | 'adopting'>,
): Promise<ClientReport[]> {
  const clients: ClientReport[] = []
  for (const client of names)
    clients.push(await tryWireClient(ctx, { ...how, client, scope: usualScope(client, true), adopting: how.root }))
  return clients
}

/**
 * Releases a repository. The record stays, and so do agents connected in user scope while other repositories need them.
 */
async function release(ctx: Given<'machine' | 'record'>, input: Input): Promise<Output> {
  const { root } = await projectPlace(ctx)
  const project = await ctx.projects.find({ directory: root })
  const bound = (await ctx.projects.list()).flatMap((known) => known.repositories)
  const scopes: readonly SetupScope[] = bound.some((repository) => repository !== root)
    ? ['project']
    : ['project', 'user']
  const how = {
    root,
    mode: 'remove',
    dryRun: input.dry_run,
    allowTracked: input.allow_tracked,
    adopting: root,
  } as const
  // In reverse order of writing: the client's earlier files own the folder that later ones are in.
  const files = await writeAgentsMd(ctx, { ...how, body: '' })
  const reports: ClientReport[] = []
  for (const client of named(input.clients) ?? CLIENT_NAMES) {
    for (const scope of scopes)
      reports.push(await tryWireClient(ctx, { ...how, client, scope, withHooks: true, withSkills: true }))
  }
  if (project !== undefined && !input.dry_run) await ctx.projects.unbind(project.id, root)
  const clients = reports
    .map((report) => ({ ...report, next: [] }))
    .filter((report) => report.problem !== undefined || report.files.length > 0)
  const next =
    project === undefined
      ? []
      : [`The record stays in ${project.location}.`, `\`ken adopt --project ${project.id}\` is the way back.`]
  const released: Output['project'] =
    project === undefined ? { name: '', binding: 'none' } : { id: project.id, name: project.name, binding: 'released' }
  return { dry_run: input.dry_run, repository: root, project: released, clients, files, next }
}

async function bindProject(ctx: Given<'record'>, root: string, input: Input): Promise<Output['project']> {
  const claim = await ctx.projects.claim(root)
  const named = input.project === undefined ? undefined : await namedOrForgotten(ctx, root, input)
  // If the project is named, binds a folder that only the project's config file claims.
  const here = named === undefined || claim?.bound === true ? await ctx.projects.find({ directory: root }) : undefined
  if (here?.fromClone === true)
    throw new AppError('forbidden', `The record in ${root} came with the clone and is not trusted yet.`, {
      hint: 'Review it with `ken context`, trust it with `ken trust`, then run this again.',
    })
  if (named !== undefined && here !== undefined && named.id !== here.id) throw boundElsewhere(root, here.name)
  const wanted = named ?? here
  if (wanted === undefined) return startProject(ctx, root, input)
  refuseLost(wanted)
  const isBound = wanted === here && claim?.bound !== false
  if (!input.dry_run) await startRecord(ctx, await ctx.record(isBound ? wanted : await ctx.projects.bind(wanted, root)))
  return { id: wanted.id, name: wanted.name, binding: isBound ? 'kept' : 'bound' }
}

/** `ken adopt --remove` prints the id for adopting again, which still works after `ken projects rm`. */
async function namedOrForgotten(ctx: Given, root: string, { project = '', name }: Input): Promise<RegisteredProject> {
  const found = await ctx.projects.find({ project, directory: root, forgotten: true }).catch(() => undefined)
  return found?.name === '' ? { ...found, name: name ?? folderName(root) } : projectNamed(ctx, project)
}

export const folderName = (root: string): string => root.split(/[/\\]/).findLast((part) => part !== '') ?? 'project'

export async function startProject(
  ctx: Given<'record'>,
  root: string,
  input: Pick<Input, 'name' | 'dry_run'>,
): Promise<Output['project']> {
  const name = input.name ?? folderName(root)
  if (input.dry_run) return { name, binding: 'started' }
  const project = await ctx.projects.create({ name, mode: 'local', repository: root })
  await startRecord(ctx, await ctx.record(project))
  return { id: project.id, name: project.name, binding: 'started' }
}

/** Agents with traces in the user's home or in a folder. */
export async function agentsInUse(ctx: Given<'machine'>, root: string): Promise<readonly ClientName[]> {
  const places = ctx.clients.places(root)
  const isUsed = async (name: ClientName) =>
    (await Promise.all(CLIENTS[name].signs.map((sign) => ctx.clients.exists(resolvePlace(sign, places))))).includes(
      true,
    )
  const used = await Promise.all(CLIENT_NAMES.map(isUsed))
  return CLIENT_NAMES.filter((_, at) => used[at])
}

function named(clients: Input['clients']): readonly ClientName[] | undefined {
  if (clients === undefined || clients.length === 0) return undefined
  return CLIENT_NAMES.filter((name) => clients.includes('all') || clients.includes(name))
}

const boundElsewhere = (root: string, name: string): AppError =>
  new AppError('conflict', `${root} already belongs to the project "${name}".`, {
    hint: 'Run `ken adopt --remove` first.',
  })
