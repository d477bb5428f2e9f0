import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { absentError } from '../../kernel/domain/project/disconnected.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { Claim, RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, AT_A_TERMINAL } from '../../operations/operation.ts'
import { syncNow } from '../../record/operations/sync-team.ts'
import { attachingTeam, refuseOtherServer, wantedFromTeam, type WantedTeamProject } from './attach-team.ts'

const OUTPUT = {
  outcome: z.enum(['attached', 'already', 'declined', 'unanswered']),
  id: z.string(),
  name: z.string(),
  repository: z.string(),
  store: z.string(),
  question: z.string().optional().describe('The question asked at a terminal.'),
}

type Output = z.output<z.ZodObject<typeof OUTPUT>>

export const attach = defineOperation({
  name: 'attach',
  title: 'Attach a repository',
  summary: 'Bind this repository to an existing project, local or on a team server.',
  details:
    'With --server, or if the folder names one, a team project is fetched by its id. A folder from elsewhere can name any project in its .ken/config.json, so that file alone grants no access: this command shows which record it would read and write, and asks. Without a name it uses the project that the folder names. Worktrees of a bound repository need no attaching. `ken adopt --remove` undoes it.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  exact: true,
  hiddenFrom: AT_A_TERMINAL,
  positional: ['project'],
  input: {
    project: z.string().min(1).max(200).optional().describe('Project id or name; default: the one this folder names.'),
    server: z.string().min(1).max(300).optional().describe('Its team server.'),
    yes: z.boolean().default(false).describe('Do not ask (for scripts).'),
  },
  output: OUTPUT,
  examples: [
    { title: 'A second clone', input: { project: 'shop', yes: true } },
    { title: 'See what it would read and write', input: { project: 'shop' } },
  ],
  async run(ctx, input): Promise<Output> {
    const repository = await ctx.repository()
    const root = repository?.root ?? ctx.cwd
    const claim = await ctx.projects.claim(root)
    const ofTeam = await wantedFromTeam(ctx, input, claim)
    if (ofTeam !== undefined) return attachFromTeam(ctx, ofTeam, { root, yes: input.yes })
    const project = await wantedProject(ctx, input.project, claim)
    refuseOtherServer(project, input.server)
    const at = claim !== undefined && claim.id === project.id ? claim.repository : root
    const told = { id: project.id, name: project.name, repository: at, store: project.location }
    // The download of the project's record was interrupted.
    if (project.team !== undefined && project.absence !== undefined) await syncNow(ctx, project)
    else if (claim?.bound === true && claim.id === project.id) return { ...told, outcome: 'already' }
    else if (project.absence !== undefined) throw absentError({ ...project, absence: project.absence })
    const question = await describe(ctx, project, at)
    if (!input.yes && ctx.confirm === undefined) return { ...told, outcome: 'unanswered', question }
    if (!input.yes && !(await ctx.confirm!(question))) return { ...told, outcome: 'declined' }
    const bound = await ctx.projects.bind(project, at)
    return { ...told, store: bound.location, outcome: 'attached' }
  },
  render: (output) => RENDERED[output.outcome](output),
  exit: (output) => (output.outcome === 'attached' || output.outcome === 'already' ? 0 : 1),
})

async function attachFromTeam(
  ctx: Given<'machine' | 'record'>,
  wanted: WantedTeamProject,
  { root, yes }: { root: string; yes: boolean },
): Promise<Output> {
  const { project, question, attach: bring } = await attachingTeam(ctx, wanted, root)
  const told = { ...project, repository: root, store: '' }
  if (!yes && ctx.confirm === undefined) return { ...told, outcome: 'unanswered', question }
  if (!yes && !(await ctx.confirm!(question))) return { ...told, outcome: 'declined' }
  const { location } = await bring()
  return { ...told, store: location, outcome: 'attached' }
}

/** Finds only projects on this machine: an unknown project is started, not attached. */
async function wantedProject(
  ctx: Given,
  query: string | undefined,
  claim: Claim | undefined,
): Promise<RegisteredProject> {
  if (query === undefined && claim === undefined)
    throw new AppError('invalid_input', 'This folder’s .ken/config.json names no project.', {
      hint: 'Use `ken attach <project>`; `ken projects` lists them.',
    })
  if (query !== undefined) return projectNamed(ctx, query)
  const { id, name, mode, present, location } = claim!
  if (mode === 'repo')
    throw new AppError('invalid_input', 'This folder carries its own record.', {
      hint: 'Review it with `ken context`, then trust it with `ken trust`.',
    })
  const known = (await ctx.projects.list()).find((project) => project.id === id)
  if (known !== undefined) return known
  if (present) return { id, name, mode, location, present, repositories: [] }
  throw absentError({ id, name, mode, location, absence: 'unknown-here' })
}

/** By id or name among the user's projects here, whatever the folder claims. */
export async function projectNamed(ctx: Given, query: string): Promise<RegisteredProject> {
  const found = (await ctx.projects.list()).filter((project) => project.id === query || project.name === query)
  if (found.length > 1)
    throw new AppError('conflict', `${found.length} projects are named "${query}".`, {
      hint: `Use an id: ${found.map((project) => project.id).join(', ')}.`,
    })
  if (found[0] === undefined)
    throw new AppError('not_found', `No project named "${query}".`, {
      hint: 'List projects with `ken projects`.',
    })
  return found[0]
}

async function describe(ctx: Given<'record'>, project: RegisteredProject, root: string): Promise<string> {
  const { decisions } = await (await ctx.record(project)).catalogue()
  const others = project.repositories.length === 0 ? 'none' : project.repositories.join(', ')
  return [
    `${root} would read and write the record of "${project.name}":`,
    `  record        ${project.location} (${plural(decisions.length, 'decision')})`,
    `  repositories  ${others}`,
    '',
    'Bind it?',
  ].join('\n')
}

const RENDERED: Readonly<Record<Output['outcome'], (output: Output) => string>> = {
  attached: ({ repository, name }) => `${repository} now belongs to the project "${name}".`,
  already: ({ repository, name }) => `${repository} already belongs to the project "${name}".`,
  declined: () => 'Nothing was bound.',
  unanswered: ({ question }) =>
    `${question!.split('\n').slice(0, -2).join('\n')}\n\nNothing was bound yet: answer at a terminal, or say --yes.`,
}
