import { z } from 'zod'
import { contextHere, projectKey } from '../../analyst/operations/project-key.ts'
import { briefly } from '../../evaluation/open-report.ts'
import { plural } from '../../kernel/domain/text.ts'
import { facts } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { withinOf } from '../../memory/operations/memory-scope.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { pendingProposals } from '../accept.ts'
import { QUESTIONS } from '../domain/files.ts'
import { openQuestions } from '../domain/question.ts'
import { conflictsIn } from '../resolve-conflict.ts'
import { recordHere } from './record-here.ts'

const count = z.number().int()

const overviewOutput = {
  record: z
    .object({
      name: z.string(),
      from_clone: z.boolean(),
      decisions: count,
      proposals: count,
      questions: count,
      conflicts: count,
    })
    .optional()
    .describe('The project here; missing if there is none.'),
  inbox: count.describe('Drafts pending review.'),
  chats: count.describe('At most 100 are counted.'),
  sessions: count.describe('Agent sessions in the memory.'),
  context: z
    .object({ sources: count, failing: count, items: count })
    .optional()
    .describe('The context project here; missing if there is none.'),
  tests: z
    .object({ at: z.string(), passed: count, failed: count, broken: count })
    .optional()
    .describe('The last run; missing if there was none.'),
}

type Overview = z.output<z.ZodObject<typeof overviewOutput>>

export const overview = defineOperation({
  name: 'overview',
  title: 'Counts of everything',
  summary: 'Count decisions, questions, drafts, sessions, sources and tests.',
  details:
    'Cheap enough to be asked every few seconds. It answers in a folder without a record or a context project too.',
  effect: 'read',
  words: 'own',
  needs: ['analyst', 'context', 'memory', 'record'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  input: {},
  output: overviewOutput,
  examples: [{ title: 'Here', input: {} }],
  async run(ctx) {
    const state = await ctx.analystState()
    const own = { user: ctx.user, project: await projectKey(ctx) }
    const [record, drafts, chats, sessions, context, tests] = await Promise.all([
      recordCounts(ctx),
      state.feedback.inbox({ ...own, settled: false }),
      state.chats.list({ ...own, limit: MOST_CHATS }),
      sessionCount(ctx),
      contextCounts(ctx),
      lastRun(ctx, own),
    ])
    return {
      ...(record && { record }),
      inbox: drafts.length,
      chats: chats.length,
      sessions,
      ...(context && { context }),
      ...(tests && { tests }),
    }
  },
  render({ record, inbox, chats, sessions, context, tests }, _input, view = PLAIN) {
    const rows: [string, string][] = [
      [
        'record',
        record === undefined
          ? 'none here; `ken init` starts one'
          : `${plural(record.decisions, 'decision')}, ${record.proposals} proposed by agents, ${plural(record.questions, 'open question')}`,
      ],
      ['inbox', inbox === 0 ? 'nothing waits' : plural(inbox, 'draft')],
      ['chats', String(chats)],
      ['sessions', String(sessions)],
      [
        'context',
        context === undefined
          ? 'none here; `ken init-context` makes one'
          : `${plural(context.sources, 'source')}, ${context.failing} failing, ${plural(context.items, 'item')}`,
      ],
      [
        'tests',
        tests === undefined
          ? 'not run yet'
          : `${tests.passed} passed, ${tests.failed} failed${tests.broken === 0 ? '' : `, ${tests.broken} broken`}`,
      ],
    ]
    return facts(rows, view).join('\n')
  },
})

const MOST_CHATS = 100

async function recordCounts(ctx: Given<'record'>): Promise<Overview['record']> {
  const store = await recordHere(ctx)
  if (store === undefined) return undefined
  const [{ decisions }, pending, questions] = await Promise.all([
    store.catalogue(),
    pendingProposals(store),
    store.read(QUESTIONS),
  ])
  return {
    name: store.project.name,
    from_clone: store.project.fromClone === true,
    decisions: decisions.length,
    proposals: pending.length,
    questions: openQuestions(questions ?? '').length,
    conflicts: (await conflictsIn(store)).length,
  }
}

async function sessionCount(ctx: Given<'memory'>): Promise<number> {
  const memory = await ctx.memory()
  const { documents } = await memory.holds({ within: await withinOf(ctx, undefined), origins: ['session'] })
  return documents
}

async function contextCounts(ctx: Given<'context'>): Promise<Overview['context']> {
  const project = await contextHere(ctx)
  if (project === undefined) return undefined
  const entries = [...(await project.tree.load()).values()]
  const stale = new Set(entries.filter((one) => one.stale !== undefined).map(({ source }) => source))
  const failing = project.sources.filter(({ key, fault }) => stale.has(key) || fault() !== undefined)
  return { sources: project.sources.length, failing: failing.length, items: entries.length }
}

async function lastRun(ctx: Given<'analyst'>, own: { user: string; project: string }): Promise<Overview['tests']> {
  const { runs } = await ctx.analystState()
  const [run] = await runs.list({ ...own, limit: 1 })
  if (run === undefined) return undefined
  const { passed, failed, broken } = (await briefly(runs, run)).total
  return { at: run.startedAt, passed, failed, broken }
}
