import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { whatIsMissing } from '../../kernel/domain/project/disconnected.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, AT_A_TERMINAL } from '../../operations/operation.ts'
import { describeWay, startAgain, takeWayBack, waysBack, type WayBack } from '../../record/reconnect.ts'
import { attach } from './attach.ts'

const INPUT = {
  from: z
    .array(z.string().min(1).max(4096))
    .max(20)
    .optional()
    .describe('Folder with the record: a record, another Ken home, or a clone that contains it.'),
  commit: z.string().min(1).max(300).optional().describe('Restore it from this commit, for a record kept in git.'),
  snapshot: z.boolean().default(false).describe('Restore the newest remaining snapshot.'),
  in_place: z.boolean().default(false).describe('Use the folder in place instead of copying it.'),
  start_new: z.boolean().default(false).describe('Abandon the old record and start an empty one under the same id.'),
  yes: z.boolean().default(false).describe('Do not ask (for scripts).'),
}

const OUTPUT = {
  outcome: z.enum(['connected', 'reconnected', 'started', 'declined', 'unanswered', 'several', 'nowhere']),
  id: z.string(),
  name: z.string(),
  store: z.string().describe('Path of the record, or where it is expected.'),
  missing: z.string().optional().describe('The problem.'),
  found: z.array(
    z.object({
      kind: z.enum(['folder', 'commit', 'snapshot']),
      at: z.string(),
      decisions: z.number(),
      changed: z.string().optional(),
      proof: z.enum(['journal', 'id', 'none']).describe('Evidence that it belongs to this project.'),
    }),
  ),
  question: z.string().optional().describe('The question asked at a terminal.'),
  moved_aside: z.string().optional().describe('Where the remains of the old record were moved.'),
}

type Input = z.output<z.ZodObject<typeof INPUT>>
type Output = z.output<z.ZodObject<typeof OUTPUT>>

export const reconnect = defineOperation({
  name: 'reconnect',
  title: 'Reconnect a record',
  summary: 'Find a missing record and restore it, or start a new one.',
  details:
    'Searches this machine: the usual home and other homes, other working trees and clones that you bound, commits of the repository, and remaining snapshots. It asks before restoring anything, moves existing files aside, and follows no link. --start-new lists what is lost before it starts an empty record.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  asGiven: true,
  hiddenFrom: AT_A_TERMINAL,
  positional: ['from'],
  input: INPUT,
  output: OUTPUT,
  examples: [{ title: 'List records that can be reconnected', input: {} }],
  async run(ctx, input): Promise<Output> {
    const project = await ctx.projects.find({ directory: ctx.cwd }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'forbidden') return undefined
      throw error
    })
    if (project === undefined) return viaAttach(ctx, input)
    const told = { id: project.id, name: shownName(project), store: project.location, found: [] }
    if (project.absence === undefined || project.absence === 'unstarted') return { ...told, outcome: 'connected' }
    const missing = whatIsMissing({ ...project, absence: project.absence })
    if (input.start_new) return startNew(ctx, project, { ...told, missing, yes: input.yes })
    const ways = await waysBack(ctx, project, {
      folders: (input.from ?? []).map((folder) => absolute(ctx, folder)),
      commit: input.commit,
    })
    const wanted = input.snapshot ? ways.filter(({ kind }) => kind === 'snapshot') : ways
    const found = wanted.map(({ changed, ...way }) => ({ ...way, ...(changed && { changed }) }))
    if (wanted.length === 0) return { ...told, missing, outcome: 'nowhere' }
    if (wanted.length > 1 && ctx.confirm === undefined) return { ...told, missing, found, outcome: 'several' }
    for (const way of wanted) {
      const question = takeQuestion(project, { way, missing, in_place: input.in_place })
      const answer = await asked(ctx, question, input.yes && wanted.length === 1)
      if (answer === 'unanswered') return { ...told, missing, found, outcome: answer, question }
      if (answer === 'declined') continue
      const { location, aside } = await takeWayBack(ctx, await bound(ctx, project), { way, in_place: input.in_place })
      return { ...told, found, store: location, outcome: 'reconnected', ...(aside && { moved_aside: aside }) }
    }
    return { ...told, missing, found, outcome: 'declined' }
  },
  render: (output) => RENDERED[output.outcome](output),
  exit: (output) => (['connected', 'reconnected', 'started'].includes(output.outcome) ? 0 : 1),
})

/** The record is on this machine but the folder is not bound to it, for example after the registry was lost. */
async function viaAttach(ctx: Given<'machine' | 'record'>, { yes }: Input): Promise<Output> {
  const { outcome, question, id, name, store } = await attach.run(ctx, { yes })
  const same = outcome === 'attached' ? 'reconnected' : outcome === 'already' ? 'connected' : outcome
  return { id, name, store, found: [], outcome: same, ...(question && { question }) }
}

async function startNew(
  ctx: Given<'machine' | 'record'>,
  project: RegisteredProject,
  { yes, ...told }: Pick<Output, 'id' | 'name' | 'store' | 'found' | 'missing'> & { yes: boolean },
): Promise<Output> {
  const seen = (await ctx.lostRecords()).lastSeen(project)
  const question = [
    told.missing,
    seen === undefined
      ? 'What was recorded elsewhere will not be in the new record, and the two cannot be joined later.'
      : `What is lost here: every decision, question and state of the old record; its journal had ${plural(seen, 'event')}.`,
    '',
    'Start an empty record under the same id?',
  ].join('\n')
  const answer = await asked(ctx, question, yes)
  if (answer !== 'yes') return { ...told, outcome: answer, question }
  const { aside } = await startAgain(ctx, await bound(ctx, project))
  const { missing: _, ...done } = told
  return { ...done, outcome: 'started', ...(aside && { moved_aside: aside }) }
}

/** A record in the repository stays untrusted until `ken trust`; any other is bound by this confirmation. */
async function bound(ctx: Given, project: RegisteredProject): Promise<RegisteredProject> {
  const claim = await ctx.projects.claim(ctx.cwd)
  if (claim?.id === project.id && !claim.bound && claim.mode !== 'repo')
    await ctx.projects.bind(project, claim.repository)
  return project
}

async function asked(ctx: Given, question: string, yes: boolean): Promise<'yes' | 'declined' | 'unanswered'> {
  if (yes) return 'yes'
  if (ctx.confirm === undefined) return 'unanswered'
  return (await ctx.confirm(question)) ? 'yes' : 'declined'
}

const takeQuestion = (
  project: RegisteredProject,
  { way, missing, in_place }: { way: WayBack; missing: string; in_place: boolean },
): string =>
  [
    missing,
    `Found ${describeWay(way)}`,
    '',
    in_place ? 'Use it where it lies?' : `Copy it to ${project.location}?`,
  ].join('\n')

/** If a name comes only from a clone's config file, it is not shown as the project's name. */
const shownName = (project: RegisteredProject): string => (project.absence === 'unknown-here' ? '' : project.name)

const absolute = (ctx: Given, folder: string): string =>
  /^(?:[/\\]|[A-Za-z]:)/.test(folder) ? folder : `${ctx.cwd}/${folder}`

const RENDERED: Readonly<Record<Output['outcome'], (output: Output) => string>> = {
  connected: ({ store }) => `Nothing is missing: the record is in ${store}.`,
  reconnected: (output) => `The record is in ${output.store} again.${aside(output)}\nLook at it with \`ken doctor\`.`,
  started: (output) => `Started an empty record in ${output.store}.${aside(output)}`,
  declined: () => 'No changes.',
  unanswered: ({ question }) =>
    `${question!.split('\n').slice(0, -2).join('\n')}\n\nNothing was changed yet: answer at a terminal, or say --yes.`,
  several: ({ missing, found }) =>
    [
      missing!,
      'Found:',
      ...found.map((way) => `  ${describeWay({ ...way, changed: way.changed })}`),
      '',
      'Use one of: `ken reconnect` with --from <folder>, --commit <commit> or --snapshot.',
    ].join('\n'),
  nowhere: ({ missing }) =>
    [
      missing!,
      'It is in none of the places that this machine knows.',
      '',
      'If you have it elsewhere (another disk, machine or home): `ken reconnect --from <folder>`.',
      'To give it up: `ken reconnect --start-new`.',
    ].join('\n'),
}

const aside = ({ moved_aside: moved }: Output): string =>
  moved === undefined ? '' : ` The remains of the old record are in ${moved}.`
