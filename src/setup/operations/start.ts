import { z } from 'zod'
import { addSources } from '../../context/operations/add-sources.ts'
import { offersIn, type Offer } from '../../context/operations/find-here.ts'
import { makeContextProject } from '../../context/operations/init-context.ts'
import { syncSources } from '../../context/operations/sync-sources.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { CONFIRM_OR_YES, NO_CHANGES } from '../../kernel/domain/phrases.ts'
import { plural } from '../../kernel/domain/text.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { harvest } from '../../memory/operations/harvest.ts'
import type { Given } from '../../operations/context.ts'
import { AT_A_TERMINAL, defineOperation } from '../../operations/operation.ts'
import { importAdrs } from '../../record/import-adr.ts'
import { CLIENTS, type ClientName } from '../domain/clients.ts'
import { adopt } from './adopt.ts'
import { findAdrFolders, type AdrFolder } from './find-adr-folders.ts'
import { firstCatch } from './first-catch.ts'

type StartContext = Given<'analyst' | 'context' | 'machine' | 'memory' | 'record'>

const step = z.object({
  what: z.string(),
  detail: z.string(),
  files: z.array(z.string()).describe('Files it writes, or wrote, outside of the Ken home.'),
  problem: z.string().optional(),
})

type Step = z.output<typeof step>

const OUTPUT = {
  outcome: z.enum(['planned', 'done', 'declined']),
  repository: z.string(),
  home: z.string(),
  steps: z.array(step),
  first: z
    .object({ operation: z.string(), input: z.record(z.string(), z.unknown()), why: z.string() })
    .optional()
    .describe('The command to run first, chosen from the history of this repository.'),
  next: z.array(z.string()).describe('Steps that only the user can take.'),
}

export const start = defineOperation({
  name: 'start',
  title: 'Start in a repository',
  summary: 'Set Ken up in this repository: find decisions, agents, sessions and data, show one plan, do it.',
  details:
    'Finds folders of architecture decision records, coding agents in use, their sessions, database files and dbt projects. It shows what it would write and where, asks once, does it, and ends with a check, a drift report or a brief from this history. In the repository it writes only to .ken/ and to the files that agents read: AGENTS.md and their own settings. `ken` alone does the same at a terminal, in a repository without a project. `ken uninstall` removes all of it.',
  effect: 'write',
  words: 'own',
  needs: ['analyst', 'context', 'machine', 'memory', 'record'],
  hiddenFrom: AT_A_TERMINAL,
  input: {
    dry_run: z.boolean().default(false).describe('Show the plan and do nothing.'),
    yes: z.boolean().default(false).describe('Do it without asking.'),
  },
  output: OUTPUT,
  examples: [{ title: 'What it would do', input: { dry_run: true } }],
  async run(ctx, input) {
    const root = (await ctx.repository())?.root
    if (root === undefined)
      throw new AppError('not_found', `Not a git repository: ${ctx.cwd}.`, {
        hint: 'Run this in a repository, or start a record here with `ken init`.',
      })
    const known = await ctx.projects.find({ directory: root })
    if (known !== undefined)
      throw new AppError('conflict', `${root} already belongs to the project "${known.name}".`, {
        hint: 'See `ken status`.',
      })
    const same = { repository: root, home: (await ctx.ownHome()).path }
    const found = await look(ctx, root)
    const plan = planOf(found, ctx.clients.places(root)['home']!)
    if (input.dry_run) return { ...same, outcome: 'planned' as const, steps: plan, next: [] }
    if (!input.yes) {
      if (ctx.confirm === undefined)
        throw new AppError('stopped', `No changes. The plan:\n${lines(plan, REFUSED).join('\n')}`, {
          hint: CONFIRM_OR_YES,
        })
      const isWanted = await ctx.confirm(`${heading(same.repository)}\n${lines(plan, REFUSED).join('\n')}\n\nDo this?`)
      if (!isWanted) return { ...same, outcome: 'declined' as const, steps: [], next: [] }
    }
    const done = await carryOut(ctx, root, found)
    return { ...same, outcome: 'done' as const, ...done, first: await firstCatch(ctx) }
  },
  render: (output, _input, view = PLAIN) =>
    output.outcome === 'declined'
      ? NO_CHANGES
      : [
          output.outcome === 'planned' ? heading(output.repository) : `Done in ${output.repository}:`,
          ...lines(output.steps, output.outcome === 'planned' ? REFUSED : undefined),
          ...(output.outcome === 'planned' ? [] : [...nextLines(output.next), view.mark('dim', UNDO)]),
        ].join('\n'),
  exit: ({ steps }) => (steps.some(({ problem }) => problem !== undefined) ? 1 : 0),
})

const UNDO = '`ken uninstall` removes all of it.'

const nextLines = (next: readonly string[]): string[] =>
  next.length === 0 ? [] : ['Next:', ...next.map((step) => `  ${step}`)]

interface Found {
  readonly adrs: readonly AdrFolder[]
  readonly sources: readonly Offer[]
  readonly sessions: readonly { readonly client: string; readonly count: number }[]
  readonly agents: Awaited<ReturnType<typeof adopt.run>>
}

const WHOLE = { with_hooks: true, with_skills: false, remove: false, print_prompt: false, allow_tracked: false }

async function look(ctx: StartContext, root: string): Promise<Found> {
  const offers = await offersIn(ctx, root)
  const { clients } = await harvest.run(ctx, { dry_run: true, again: false })
  return {
    adrs: await findAdrFolders(ctx, root),
    // Only files of this repository; the user adds addresses and variables.
    sources: offers.filter(({ words }) => words.length === 1 && !/^[A-Z][A-Z0-9_]*$|:|^[/~]/.test(words[0]!)),
    sessions: clients
      .map(({ client, new: fresh, changed }) => ({ client, count: fresh + changed }))
      .filter(({ count }) => count > 0),
    agents: await adopt.run(ctx, { ...WHOLE, dry_run: true }),
  }
}

function planOf({ adrs, sources, sessions, agents }: Found, home: string): Step[] {
  return [
    { what: 'Start a record', detail: `"${agents.project.name}", in the Ken home`, files: ['.ken/config.json'] },
    ...agentSteps(agents, home),
    ...adrs.map(({ path, files: count }) => ({
      what: `Import ${path}`,
      detail: `${plural(count, 'decision record')}; the files are only read`,
      files: [],
    })),
    ...sessions.map(({ client, count }) => ({
      what: `Read ${titleOf(client)} sessions`,
      detail: `${plural(count, 'session')} of all projects on this machine, secrets removed, into the Ken home`,
      files: [],
    })),
    ...(sources.length === 0
      ? []
      : [
          {
            what: 'Compile sources',
            detail: sources.map(({ shown }) => shown.what).join(', '),
            files: ['.ken/context/'],
          },
        ]),
  ]
}

/** Connected agents, and in one line each why an agent or a file was left as it is. */
function agentSteps({ repository, clients, files }: Found['agents'], home: string): Step[] {
  const here = { root: repository, home }
  const connected = clients.filter(({ problem }) => problem === undefined)
  const names = connected.map(({ client }) => titleOf(client))
  const all = [...clients.flatMap((one) => one.files), ...files]
  return [
    {
      what: names.length === 0 ? 'Write instructions for agents' : `Connect ${names.join(', ')}`,
      detail: names.length > 0 ? 'server and hooks' : clients.length === 0 ? 'no coding agent found here' : '',
      files: pathsIn(here, all),
    },
    ...clients.flatMap(({ client, problem }) =>
      problem === undefined
        ? []
        : [{ what: `Connect ${titleOf(client)}`, detail: '', files: [], problem: problem.message }],
    ),
    ...all.flatMap(({ path, kept, shared }) =>
      kept === undefined || shared === true
        ? []
        : [{ what: `Keep ${pathsIn(here, [{ path, change: 'edited' }]).join('')} as it is`, detail: kept, files: [] }],
    ),
  ]
}

const titleOf = (client: string): string => CLIENTS[client as ClientName]?.title ?? client

const pathsIn = (
  { root, home }: { readonly root: string; readonly home: string },
  files: readonly { readonly path: string; readonly change: string }[],
): string[] => [
  ...new Set(
    files
      .filter(({ change }) => change !== 'unchanged')
      .map(({ path }) =>
        path.startsWith(`${root}/`)
          ? path.slice(root.length + 1)
          : path.startsWith(`${home}/`)
            ? `~${path.slice(home.length)}`
            : path,
      ),
  ),
]

/** Runs steps independently: a damaged database must not prevent the import of decisions. */
async function carryOut(
  ctx: StartContext,
  root: string,
  { adrs, sources, sessions }: Found,
): Promise<{ readonly steps: Step[]; readonly next: string[] }> {
  const steps: Step[] = []
  const next: string[] = []
  const attempt = async (what: string, work: () => Promise<Omit<Step, 'what'>>): Promise<void> => {
    ctx.progress(what, 0, 0)
    try {
      steps.push({ what, ...(await work()) })
    } catch (thrown) {
      if (toAppError(thrown).code === 'stopped') throw thrown
      steps.push({ what, detail: '', files: [], problem: toAppError(thrown).line })
    }
  }
  const adopted = await adopt.run(ctx, { ...WHOLE, dry_run: false })
  steps.push(
    { what: 'Started the record', detail: `"${adopted.project.name}"`, files: ['.ken/config.json'] },
    ...agentSteps(adopted, ctx.clients.places(root)['home']!),
  )
  next.push(...new Set(adopted.clients.flatMap((one) => one.next)))
  const store = await ctx.record()
  for (const { path } of adrs)
    await attempt(`Imported ${path}`, async () => {
      const { imported, drafts } = await importAdrs(ctx, store, { path: `${root}/${path}`, dry_run: false })
      if (drafts.length > 0)
        next.push(
          `Settle ${plural(drafts.length, 'open question')} from proposed ADRs: ${operationNamed('questions')}.`,
        )
      return { detail: plural(imported.length, 'decision'), files: [] }
    })
  if (sessions.length > 0)
    await attempt('Read sessions', async () => {
      const { clients } = await harvest.run(ctx, { dry_run: false, again: false })
      return {
        detail: plural(
          clients.reduce((sum, one) => sum + one.new + one.changed, 0),
          'session',
        ),
        files: [],
      }
    })
  if (sources.length > 0)
    await attempt('Compiled sources', async () => {
      const request = { database: [], repository: [], docs: [], source: [] }
      const made = await makeContextProject(ctx, request, { asks: false })
      const given = sources.map(({ words }) => words.map((word) => `${root}/${word}`))
      const added = await addSources(ctx, made.root, { given, yes: true, test: false })
      await syncSources.run(ctx, SYNC)
      return { detail: added.map(({ name }) => name).join(', '), files: ['.ken/context/'] }
    })
  return { steps, next }
}

const REFUSED = 'Not possible'

const SYNC = { only: [], threads: 4, check: false, dry_run: false, force: false, watch: false, every: 60 }

const heading = (root: string): string => `Ken in ${root} would:`

const lines = (steps: readonly Step[], failed = 'Failed'): string[] =>
  steps.flatMap(({ what, detail, files, problem }) => [
    `  ${problem === undefined ? what : `${failed}: ${what}`}${detail === '' ? '' : `: ${detail}`}`,
    ...(problem === undefined ? [] : [`      ${problem}`]),
    ...files.map((file) => `      writes ${file}`),
  ])
