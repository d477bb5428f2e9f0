import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { nameOrigin } from '../../kernel/domain/origin.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import { decisionNumber } from '../domain/decision/decision-id.ts'
import { label } from '../domain/decision/decision.ts'
import { decisionPath } from '../domain/files.ts'
import type { JournalEvent } from '../domain/journal/event.ts'
import { snapshotName } from '../domain/snapshot/snapshot.ts'
import type { Store } from '../ports/store.ts'
import { readDecision } from '../read-decision.ts'
import { planUndo, undo as takeBack } from '../undo.ts'
import { recordFields, whose } from './record-fields.ts'

const output = {
  ...recordFields,
  outcome: z.enum(['undone', 'declined', 'unanswered', 'dry_run']),
  change: z.object({ id: z.string(), operation: z.string(), what: z.string(), at: z.string(), by: z.string() }),
  written: z.array(z.string()),
  removed: z.array(z.string()),
}

type UndoOutput = z.output<z.ZodObject<typeof output>>

export const undo = defineOperation({
  name: 'undo',
  title: 'Take back the last change',
  summary: 'Undo the last record change made on this machine.',
  details: `Once more takes back the one before. Only what was changed here counts, not what came with a merge, and nothing is taken back that was changed again since
or that another decision builds on. The journal keeps both steps, and \`ken redo\` reverts the undo.`,
  effect: 'write',
  fromPage: 'free',
  words: 'record',
  needs: ['record'],
  onServer: {},
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: {
    yes: z.boolean().default(false).describe('Do not ask (for scripts).'),
    only: z
      .string()
      .max(100)
      .optional()
      .describe('Only this change, by its id in `ken journal --json`; refused if a later change exists.'),
    dry_run: z.boolean().default(false).describe('Only show what would be undone.'),
    ...projectField,
  },
  output,
  examples: [
    { title: 'See what it would take back', input: { dry_run: true } },
    { title: 'Without confirmation', input: { yes: true } },
  ],
  async run(ctx, input): Promise<UndoOutput> {
    const store = await ctx.record(input.project_id)
    const plan = await planUndo(store)
    const { event, back } = plan
    if (input.only !== undefined && input.only !== event.id)
      throw new AppError('conflict', 'A later change exists, so it can’t be undone.', {
        hint: 'Undo changes one by one with `ken undo`, or restore a snapshot with `ken log` and `ken restore`.',
      })
    const paths = [...back.keys()]
    const what = await describeChange(store, event)
    const told = {
      ...whose(store),
      change: {
        id: event.id,
        operation: event.operation,
        what,
        at: event.at,
        by: nameOrigin(event.origin ?? {}),
      },
      written: paths.filter((path) => back.get(path) !== undefined),
      removed: paths.filter((path) => back.get(path) === undefined),
    }
    if (input.dry_run) return { ...told, outcome: 'dry_run' }
    if (!input.yes && ctx.confirm === undefined) return { ...told, outcome: 'unanswered' }
    const question = `${describeUndo(told, PLAIN)}\n\nTake it back?`
    if (!input.yes && !(await ctx.confirm!(question))) return { ...told, outcome: 'declined' }
    await takeBack(ctx, store, plan, `undo: ${ellipsis(what, 80)}`)
    return { ...told, outcome: 'undone' }
  },
  render(answer, _input, view = PLAIN) {
    switch (answer.outcome) {
      case 'declined':
        return 'Nothing was taken back.'
      case 'unanswered':
        return `${describeUndo(answer, view)}\n\nNothing was taken back yet: answer at a terminal, or say --yes.`
      case 'dry_run':
        return describeUndo(answer, view)
      case 'undone':
        return `${view.mark('good', 'Taken back:')} ${answer.change.what}.\n${view.mark('dim', '`ken redo` brings it back.')}`
    }
  },
  exit: ({ outcome }) => (outcome === 'undone' || outcome === 'dry_run' ? 0 : 1),
})

function describeUndo({ change, written, removed }: Omit<UndoOutput, 'outcome'>, view: View): string {
  const count = written.length + removed.length
  return [
    `The last change made here: ${view.mark('title', change.what)} (${dated(change.at.slice(0, 19), view)}, through ${change.by})`,
    ...(count === 0 ? [] : [`Without it ${plural(count, 'file')} would change:`]),
    ...removed.map((path) => `  ${view.mark('bad', '-')} ${path}`),
    ...written.map((path) => `  ${view.mark('warning', '~')} ${path}, as it was before`),
  ].join('\n')
}

/** Describes a change in plain words. */
export async function describeChange(store: Store, { operation, facts, files }: JournalEvent): Promise<string> {
  const decision = await named(store, facts['decision'])
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String).join(', ') : String(value))
  switch (operation) {
    case 'propose_decision':
      return `${decision} was recorded`
    case 'supersede_decision':
      return `${decision} was recorded in place of ${numbered(facts['target'])}`
    case 'update_decision':
      return `something was added to ${decision}`
    case 'flag_question':
      return `the question ${list(facts['question'])} was flagged`
    case 'resolve_questions':
      return `${list(facts['questions'])} was resolved by ${numbered(facts['decision'])}`
    case 'resolve_conflict':
      return `the conflict in ${list(facts['path'])} was resolved`
    case 'update_state':
      return 'the state was updated'
    case 'restore':
      return `${snapshotName(Number(facts['version']))} was restored`
    case 'accept':
      return Array.isArray(facts['decisions'])
        ? `${facts['decisions'].map(numbered).join(', ')} was accepted`
        : `edits of ${list(facts['files'])} were accepted`
    default:
      return `${operation.replaceAll('_', ' ')} (${plural(Object.keys(files).length, 'file')})`
  }
}

async function named(store: Store, stem: unknown): Promise<string> {
  if (typeof stem !== 'string' || !/^[\w-]+$/.test(stem)) return numbered(stem)
  const title = (await readDecision(store, stem))?.title
  return title === undefined ? decisionPath(stem) : `${numbered(stem)} "${ellipsis(title, 80)}"`
}

function numbered(value: unknown): string {
  const num = typeof value === 'number' ? value : decisionNumber(String(value))
  return num === undefined ? String(value) : label(num)
}
