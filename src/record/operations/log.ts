import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { factLines, factsOfSession, toFacts } from '../../memory/operations/fact-fields.ts'
import { withinOf } from '../../memory/operations/memory-scope.ts'
import { readDiary } from '../../memory/session-diary.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../../operations/operation.ts'
import { snapshotName } from '../domain/snapshot/snapshot.ts'
import { listDecisions } from './list-decisions.ts'
import { recordFields, whose } from './record-fields.ts'

const diarySession = z.object({
  session: z.string(),
  path: z.string().describe('Path below the sessions folder.'),
  client: z.string(),
  title: z.string(),
  branch: z.string().optional(),
  started: z.string(),
  done: factsOfSession,
})

export const log = defineOperation({
  name: 'log',
  title: 'Snapshots',
  summary: 'List record snapshots, newest first.',
  effect: 'read',
  words: 'record',
  needs: ['memory', 'record'],
  onServer: {},
  hiddenFrom: FOR_PEOPLE,
  input: {
    limit: z.number().int().min(1).max(10_000).default(10),
    full: z.boolean().default(false).describe('Include sizes and triggers.'),
    decisions: z.boolean().default(false).describe('List decisions instead, as `ken list` does.'),
    all: z.boolean().default(false).describe('With --decisions: include superseded ones.'),
    sessions: z.boolean().default(false).describe('List sessions by day instead, with their facts.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    total: z.number(),
    snapshots: z.array(
      z.object({
        version: z.number(),
        timestamp: z.string(),
        trigger: z.string(),
        trigger_detail: z.string(),
        token_count: z.number(),
        decisions: z.number(),
      }),
    ),
    decisions: listDecisions.output.shape.decisions.optional(),
    sessions: z.array(diarySession).optional(),
  },
  examples: [
    { title: 'The newest', input: { limit: 5 } },
    { title: 'The newest decisions', input: { decisions: true, limit: 5 } },
    { title: 'Sessions by day', input: { sessions: true, limit: 5 } },
  ],
  async run(ctx, input) {
    if (input.sessions) return diaryOf(ctx, input)
    if (input.decisions) {
      const {
        unreadable: _,
        unreadable_total: __,
        ...listed
      } = await listDecisions.run(ctx, {
        ...input,
        ...LIKE_LIST,
        include_superseded: input.all,
      })
      return { ...listed, snapshots: [] }
    }
    const store = await ctx.record(input.project_id)
    const snapshots = await store.snapshots.list()
    return {
      ...whose(store),
      total: snapshots.length,
      snapshots: snapshots
        .slice(-input.limit)
        .reverse()
        .map((s) => ({ ...s })),
    }
  },
  render(output, input, view = PLAIN) {
    if (output.sessions !== undefined) return renderDiary(output.sessions, view)
    if (output.decisions !== undefined)
      return listDecisions.render(
        { ...output, decisions: output.decisions, unreadable: [], unreadable_total: 0 },
        { ...input, ...LIKE_LIST, include_superseded: input.all },
        view,
      )
    const lines = table(
      output.snapshots.map((s) => [
        snapshotName(s.version),
        view.now === undefined ? s.timestamp.slice(0, 19) : dated(s.timestamp, view),
        plural(s.decisions, 'decision'),
        s.trigger,
      ]),
      [{ tone: 'title' }, { tone: 'dim' }, { align: 'right', tone: 'dim' }, { shrinks: true }],
      view,
    )
    const shown = output.snapshots.map((s, at) => {
      const detail = [`about ${s.token_count} tokens`, s.trigger_detail].filter((part) => part !== '')
      return input.full ? `${lines[at]}\n      ${view.mark('dim', detail.join(' · '))}` : lines[at]!
    })
    const rest = output.total - output.snapshots.length
    return shown.length === 0
      ? 'No snapshots yet.'
      : [...shown, ...(rest > 0 ? [view.mark('dim', `and ${rest} older; --limit shows more`)] : [])].join('\n')
  },
})

async function diaryOf(ctx: Given<'memory' | 'record'>, input: { limit: number; project_id?: string | undefined }) {
  const store = await ctx.record(input.project_id)
  const { archive } = await machineOf(ctx).upkeep()
  const sessions: z.output<typeof diarySession>[] = []
  const range = { within: await withinOf(ctx, input.project_id), most: input.limit }
  for await (const one of readDiary(archive, range)) {
    const { session, path, client, title, branch, started } = one
    const done = toFacts(one.done, one)
    sessions.push({ session, path, client, title, ...(branch !== null && { branch }), started, done })
  }
  return { ...whose(store), total: sessions.length, snapshots: [], sessions }
}

function renderDiary(sessions: readonly z.output<typeof diarySession>[], view: View): string {
  if (sessions.length === 0) return 'No sessions here yet. `ken harvest` reads those of your agents.'
  const byDay = Map.groupBy(
    sessions.toSorted((a, b) => (a.started < b.started ? 1 : -1)),
    ({ started }) => started.slice(0, 10),
  )
  return [...byDay]
    .map(([day, some]) =>
      [
        view.mark('title', day),
        ...some.flatMap(({ started, client, title, branch, done }) => [
          `${started.slice(11, 16)}  ${title}  ${view.mark('dim', [client, branch, `${done.minutes} min`].filter(Boolean).join(' · '))}`,
          ...factLines(done, { view, turns: false }).map((line) => `       ${line}`),
        ]),
      ].join('\n'),
    )
    .join('\n\n')
}

const LIKE_LIST = { offset: 0, order: 'number', reverse: false, outcomes: false, counts: false } as const
