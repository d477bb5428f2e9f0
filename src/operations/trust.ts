import { z } from 'zod'
import type { Reach } from '../core/context-project/reach.ts'
import { changeOf, isTrusted, type Granted } from '../core/context-project/trust.ts'
import type { ContextProject } from '../ports/context-project.ts'
import type { Context } from './context.ts'
import { defineOperation } from './operation.ts'

const reached = z.object({ entry: z.string(), reaches: z.array(z.string()), change: z.string().optional().describe('What is other than when it was trusted.') })

const trustOutput = {
  outcome: z.enum(['trusted', 'declined', 'unanswered', 'needless', 'revoked', 'unknown', 'listed']),
  projects: z.array(z.object({ root: z.string(), at: z.string().optional(), entries: z.array(reached) })),
}

type TrustOutput = z.output<z.ZodObject<typeof trustOutput>>

export const trust = defineOperation({
  name: 'trust',
  title: 'Trust a context project',
  summary: 'Let a context project reach what its ken.yaml names outside of its folder.',
  details:
    'Without trust a project that came with a clone opens files inside its own folder and nothing else: no host, no git address, no path outside, no variable of your environment. This shows what would be allowed and asks. When the configuration reaches further later, it has to be trusted again.',
  effect: 'write',
  words: 'own',
  toolset: 'desk',
  hiddenFrom: { mcp: 'Only a person may widen what a project reaches.', http: 'Only a person may widen what a project reaches.' },
  positional: ['folder'],
  input: {
    folder: z.string().min(1).optional().describe('The project, or a folder in it; here by default.'),
    yes: z.boolean().default(false).describe('Do not ask, for scripts.'),
    list: z.boolean().default(false).describe('Show what is trusted.'),
    revoke: z.boolean().default(false).describe('Take the trust back.'),
  },
  output: trustOutput,
  examples: [{ title: 'The project here', input: {} }, { title: 'Everything that is trusted', input: { list: true } }],
  async run(ctx, input): Promise<TrustOutput> {
    if (input.list) return { outcome: 'listed', projects: ctx.trust.list().map(({ root, at, granted }) => ({ root, at, entries: entriesOf(granted) })) }
    if (input.revoke) return revoke(ctx, input.folder)
    const project = await ctx.contextProject(input.folder)
    const reaches = project.reach()
    const trusted = ctx.trust.find(project.root)
    const known = trusted?.granted
    const projects = [{ root: project.root, entries: reaches.map((reach) => shown(reach, known)) }]
    if (reaches.every((reach) => isTrusted(reach, known))) return { outcome: 'needless', projects: [{ ...projects[0]!, ...(trusted !== undefined && { at: trusted.at }) }] }
    if (!input.yes && ctx.confirm === undefined) return { outcome: 'unanswered', projects }
    const isAllowed = input.yes || (await ctx.confirm!(`${renderEntries(projects[0]!)}\n\nAllow this?`))
    if (!isAllowed) return { outcome: 'declined', projects }
    // What was shown is what is granted, whatever ken.yaml says by now.
    grantReach(ctx, project.root, reaches)
    return { outcome: 'trusted', projects }
  },
  render: (output) => RENDERED[output.outcome](output),
  exit: (output) => (['declined', 'unanswered', 'unknown'].includes(output.outcome) ? 1 : 0),
})

/** For a project that the user has just made: nothing in it came from elsewhere. */
export const trustOwn = (ctx: Context, project: ContextProject): void => grantReach(ctx, project.root, project.reach())

function grantReach(ctx: Context, root: string, reaches: readonly Reach[]): void {
  ctx.trust.grant({ root, at: ctx.clock.now().toISOString(), granted: Object.fromEntries(reaches.map(({ key, lines }) => [key, lines])) })
}

/** Also of a folder that is gone, or whose ken.yaml cannot be read. */
async function revoke(ctx: Context, folder: string | undefined): Promise<TrustOutput> {
  const project = await ctx.contextProject(folder).catch(() => undefined)
  const root = project?.root ?? (folder === undefined ? ctx.cwd : folder.startsWith('/') ? folder : `${ctx.cwd}/${folder}`)
  return { outcome: ctx.trust.revoke(root) ? 'revoked' : 'unknown', projects: [{ root, entries: [] }] }
}

const entriesOf = (granted: Granted): z.output<typeof reached>[] => Object.entries(granted).map(([entry, lines]) => ({ entry, reaches: [...lines] }))

function shown(reach: Reach, known: Granted | undefined): z.output<typeof reached> {
  const isChanged = known?.[reach.key] !== undefined && !isTrusted(reach, known)
  return { entry: reach.key, reaches: [...reach.lines], ...(isChanged && { change: changeOf(reach, known) }) }
}

const RENDERED: Readonly<Record<TrustOutput['outcome'], (output: TrustOutput) => string>> = {
  trusted: ({ projects: [project] }) => `Trusted in ${project!.root}: ${project!.entries.map(({ entry }) => entry).join(', ')}.`,
  declined: () => 'Nothing was allowed.',
  unanswered: ({ projects: [project] }) => `${renderEntries(project!)}\n\nNothing was allowed yet: answer at a terminal, or say --yes.`,
  needless: ({ projects: [project] }) => (project!.entries.length === 0 ? `${project!.root} stays inside its folder; there is nothing to allow.` : `${renderEntries(project!)}\n\nThere is nothing more to allow.`),
  revoked: ({ projects: [project] }) => `${project!.root} is not trusted any more.`,
  unknown: ({ projects: [project] }) => `${project!.root} was not trusted.`,
  listed: ({ projects }) => (projects.length === 0 ? 'No project is trusted yet.' : projects.map(renderEntries).join('\n\n')),
}

function renderEntries({ root, at, entries }: TrustOutput['projects'][number]): string {
  const width = Math.max(0, ...entries.map(({ entry }) => entry.length))
  const rows = entries.map(({ entry, reaches, change }) => `  ${entry.padEnd(width)}  ${change === undefined ? reaches.join(', ') : `changed: ${change}`}`)
  return [at === undefined ? `${root} would be allowed to:` : `${root} (trusted ${at.slice(0, 10)}) may:`, ...rows].join('\n')
}
