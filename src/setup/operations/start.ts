import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { CONFIRM_OR_YES, NO_CHANGES } from '../../kernel/domain/phrases.ts'
import { posixWord } from '../../kernel/domain/shell-word.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { PageChange } from '../../kernel/ports/page-changes.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { startStep, type StartReceipt, type StartStep } from '../domain/start-receipt.ts'
import { carryOutStart } from './carry-out-start.ts'
import { firstCatch } from './first-catch.ts'
import { findStart, IN_BACKGROUND, planStart, type StartContext } from './start-plan.ts'
import { undoStart } from './undo-start.ts'

const INPUT = {
  only: z
    .array(z.string().min(1).max(4096))
    .max(1_000)
    .optional()
    .describe('Only these steps, by the names that the plan shows; the record is always started.'),
  undo: z.boolean().default(false).describe('Undo the set-up of this folder. Later work stays.'),
  dry_run: z.boolean().default(false).describe('Show the plan and do nothing.'),
  yes: z.boolean().default(false).describe('Do it without asking.'),
}

const OUTPUT = {
  outcome: z.enum(['planned', 'done', 'declined', 'undone']),
  undo: z.boolean(),
  repository: z.string(),
  home: z.string(),
  steps: z.array(startStep),
  first: z
    .object({ operation: z.string(), input: z.record(z.string(), z.unknown()), why: z.string() })
    .optional()
    .describe('The command to run first, chosen from the history of this repository.'),
  next: z.array(z.string()).describe('Steps that only the user can take.'),
}

type Input = z.output<z.ZodObject<typeof INPUT>>
type Output = z.output<z.ZodObject<typeof OUTPUT>>

export const start = defineOperation({
  name: 'start',
  title: 'Set up this folder',
  summary: 'Set Ken up in this repository: find decisions, agents, sessions and data, show one plan, do it.',
  details:
    'Finds folders of architecture decision records, coding agents in use, their sessions, database files and dbt projects. It shows what it would write and where, asks once, does it, and ends with a check, a drift report or a brief from this history. In the folder it writes only to .ken/ and to the files that agents read: AGENTS.md and their own settings. --only does some of the steps; --undo restores the folder and the files of other programs, and keeps a record or context project with later work. `ken` alone does the same at a terminal, in a repository without a project. `ken uninstall` removes what Ken set up on the whole machine.',
  effect: 'write',
  words: 'own',
  needs: ['analyst', 'context', 'machine', 'memory', 'record'],
  hiddenFrom: FOR_PEOPLE,
  async fromPage(ctx, input) {
    if (input.dry_run) return []
    const receipt = await receiptHere(ctx)
    if (input.undo) return receipt === undefined ? [] : changesOf(await undoStart(ctx, receipt, { dryRun: true }))
    return changesOf((await planHere(ctx, input)).steps)
  },
  input: INPUT,
  output: OUTPUT,
  examples: [{ title: 'What it would do', input: { dry_run: true } }],
  async run(ctx, input) {
    return input.undo ? undoHere(ctx, input) : startHere(ctx, input)
  },
  render: (output, _input, view = PLAIN) =>
    output.outcome === 'declined'
      ? NO_CHANGES
      : [
          HEADINGS[output.outcome](output),
          ...lines(output, output.outcome === 'planned' ? REFUSED : undefined),
          ...(output.outcome === 'planned' ? onlyLines(output) : []),
          ...nextLines(output.next),
          ...(output.outcome === 'done' ? [view.mark('dim', UNDO)] : []),
        ].join('\n'),
  exit: ({ steps }) => (steps.some(({ problem }) => problem !== undefined) ? 1 : 0),
})

const UNDO = '`ken start --undo` undoes this; `ken uninstall` removes all of Ken.'

const HEADINGS: Readonly<Record<Exclude<Output['outcome'], 'declined'>, (output: Output) => string>> = {
  planned: (output) => heading(output),
  done: ({ repository }) => `Done in ${repository}:`,
  undone: ({ repository }) => `Undone in ${repository}:`,
}

/** How to leave steps out. */
function onlyLines({ steps, undo }: Output): string[] {
  const own = steps.filter(({ choice, problem }) => choice === 'own' && problem === undefined).map(({ id }) => id)
  return undo || own.length === 0
    ? []
    : ['Only some of these steps, by name:', ...own.map((id) => `  --only ${posixWord(id)}`)]
}

const nextLines = (next: readonly string[]): string[] =>
  next.length === 0 ? [] : ['Next:', ...next.map((step) => `  ${step}`)]

async function startHere(ctx: StartContext, input: Input): Promise<Output> {
  const receipt = await receiptHere(ctx)
  const home = (await ctx.ownHome()).path
  // The plan of a folder that was set up is what was done.
  if (input.dry_run && receipt !== undefined) {
    const { root, steps, next } = receipt
    return { outcome: 'done', undo: false, repository: root, home, steps, next, first: await firstCatch(ctx) }
  }
  const { root, steps } = await planHere(ctx, input)
  const same = { undo: false, repository: root, home }
  if (input.dry_run) return { ...same, outcome: 'planned', steps, next: [] }
  if (!(await isWanted(ctx, input, { ...same, steps }))) return { ...same, outcome: 'declined', steps: [], next: [] }
  const done = await carryOutStart(ctx, root, steps)
  return { ...same, outcome: 'done', steps: done.steps, next: done.next, first: await firstCatch(ctx) }
}

async function undoHere(ctx: StartContext, input: Input): Promise<Output> {
  const receipt = await receiptHere(ctx)
  if (receipt === undefined)
    throw new AppError('not_found', `No set-up to undo in ${ctx.cwd}.`, {
      hint: '`ken uninstall` removes what Ken set up on this machine.',
    })
  const same = { undo: true, repository: receipt.root, home: (await ctx.ownHome()).path, next: [] }
  const steps = await undoStart(ctx, receipt, { dryRun: true })
  if (input.dry_run) return { ...same, outcome: 'planned', steps }
  if (!(await isWanted(ctx, input, { ...same, steps }))) return { ...same, outcome: 'declined', steps: [] }
  return { ...same, outcome: 'undone', steps: await undoStart(ctx, receipt, { dryRun: false }) }
}

async function isWanted(
  ctx: StartContext,
  { yes }: Input,
  planned: Pick<Output, 'undo' | 'repository' | 'steps'>,
): Promise<boolean> {
  if (yes) return true
  const listed = lines(planned, REFUSED).join('\n')
  if (ctx.confirm === undefined)
    throw new AppError('stopped', `No changes. The plan:\n${listed}`, { hint: CONFIRM_OR_YES })
  return ctx.confirm(`${heading(planned)}\n${listed}\n\nDo this?`)
}

/** The folder to set up: the repository, or the folder itself outside of one. */
const rootHere = async (ctx: StartContext): Promise<string> => {
  const root = (await ctx.repository())?.root ?? (await ctx.files.folder(ctx.cwd)) ?? ctx.cwd
  const home = ctx.clients.places(root)['home']!
  if (home === root || home.startsWith(root === '/' ? '/' : `${root}/`))
    throw new AppError('invalid_input', `${root} contains your home folder, and is no project.`, {
      hint: 'Run this in the folder of a project.',
    })
  return root
}

/** The receipt of a set-up whose project is still bound to the folder. */
async function receiptHere(ctx: StartContext): Promise<StartReceipt | undefined> {
  const receipt = await ctx.startLog.find(await rootHere(ctx))
  if (receipt === undefined) return undefined
  const project = (await ctx.projects.list()).find(({ id }) => id === receipt.project)
  return project?.repositories.includes(receipt.root) ? receipt : undefined
}

async function planHere(
  ctx: StartContext,
  { only }: Pick<Input, 'only'>,
): Promise<{ readonly root: string; readonly steps: StartStep[] }> {
  const root = await rootHere(ctx)
  const known = await ctx.projects.find({ directory: root })
  if (known !== undefined)
    throw new AppError('conflict', `${root} already belongs to the project "${known.name}".`, {
      hint: 'See `ken status`.',
    })
  const steps = await planStart(ctx, await findStart(ctx, root))
  const own = steps.filter(({ choice }) => choice === 'own').map(({ id }) => id)
  const unknown = only?.find((id) => !steps.some((step) => step.id === id))
  if (unknown !== undefined)
    throw new AppError('invalid_input', `No step "${unknown}" in the plan of ${root}.`, {
      hint: own.length === 0 ? 'There is only the record to start.' : `Its steps: ${own.join(', ')}.`,
    })
  const wanted = new Set(only ?? own)
  const hasSource = [...wanted].some((id) => id.startsWith('source:'))
  return {
    root,
    steps: steps.filter(
      ({ id, choice }) => choice === 'always' || wanted.has(id) || (choice === 'with_sources' && hasSource),
    ),
  }
}

/** The whole plan, as a person confirms it with one code. */
function changesOf(steps: readonly StartStep[]): PageChange[] {
  const seen = new Set<string>()
  const named = (what: string, step: StartStep): string => {
    const name = seen.has(what) ? `${what} (${step.what})` : what
    seen.add(name)
    return name
  }
  return steps.flatMap((step): PageChange[] => {
    if (step.problem !== undefined || step.id === IN_BACKGROUND) return []
    const { what, detail, files, diffs = [] } = step
    const shown = files.filter((file) => !diffs.some(({ path }) => path === file))
    return [
      { what: named(what, step), after: [detail, ...shown].filter(Boolean).join('; ') },
      ...diffs.map(({ path, diff }) => ({ what: named(path, step), diff })),
    ]
  })
}

const REFUSED = 'Not possible'

const heading = ({ repository, undo }: Pick<Output, 'repository' | 'undo'>): string =>
  `Ken in ${repository} would${undo ? ' undo its set-up' : ''}:`

const lines = ({ steps, undo }: Pick<Output, 'steps' | 'undo'>, failed = 'Failed'): string[] =>
  steps.flatMap(({ what, detail, files, problem, kept = [] }) => [
    // A step whose files all stay as they are does nothing.
    ...(files.length === 0 && kept.length > 0 && problem === undefined
      ? []
      : [`  ${problem === undefined ? what : `${failed}: ${what}`}${detail === '' ? '' : `: ${detail}`}`]),
    ...(problem === undefined ? [] : [`      ${problem}`]),
    ...files.map((file) => `      ${undo ? 'restores' : 'writes'} ${file}`),
    ...kept.map((one) => `  Keep ${one}`),
  ])
