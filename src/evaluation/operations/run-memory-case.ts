import { type Chat } from '../../analyst/domain/chat/chat.ts'
import type { Injected } from '../../analyst/domain/chat/part.ts'
import type { MemoryRow } from '../../analyst/domain/user-memory/memory-row.ts'
import { memoriesForTurn } from '../../analyst/memories-for-turn.ts'
import { learnFromTurn } from '../../analyst/operations/learn-from-turn.ts'
import { memorySwitches } from '../../analyst/operations/memory-switches.ts'
import { prepareTurn } from '../../analyst/operations/prepare-turn.ts'
import { projectKey } from '../../analyst/operations/project-key.ts'
import type { AnalystState } from '../../analyst/ports/analyst-state.ts'
import type { Answerer } from '../../analyst/ports/models.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { addUsage, NO_USAGE } from '../../kernel/domain/model-usage.ts'
import { throwIfStopped } from '../../kernel/domain/stop.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import type { Given } from '../../operations/context.ts'
import { saysWords } from '../domain/check-words.ts'
import type { CaseOf } from '../domain/test-case.ts'
import type { TestCheck } from '../domain/test-run.ts'
import { judged, type CaseResult } from './case-result.ts'
import { withValues } from './with-values.ts'

/**
 * Checks a person's memories after these messages, and those that the model gets next time. No answer is generated:
 * only the person's messages are learned from. The caller discards the context's state afterwards.
 */
export async function runMemoryCase(
  given: Given<'analyst' | 'context' | 'machine' | 'memory' | 'record'>,
  test: CaseOf<'memory'>,
  model: string | undefined,
): Promise<CaseResult> {
  // This person's own memory settings must not affect the project's cases.
  const settings = withValues(given.settings, { 'memory.learn': true, 'memory.use': true })
  const ctx = { ...given, settings }
  await refuseSwitchedOff(ctx)
  const state = await ctx.analystState()
  const answerer = model === undefined ? undefined : await ctx.models.answerer(model)
  await giveRows(ctx, test.given, state)
  const chat = await startChat(ctx, state)
  const told: string[] = []
  for (const text of test.conversation) told.push(...(await hear(ctx, { text, chat, answerer }, state)))
  const rows = (await state.memories.active(ctx.user, chat.project)).toReversed()
  const calls = await state.calls.list({ chat: chat.id })
  const result = judged(
    [...rowChecks(test, rows), ...(await nextChecks(ctx, test.next, state))],
    [...rows.map(lineOf), ...told].join('\n'),
  )
  return { ...result, usage: calls.map(({ usage }) => usage).reduce(addUsage, NO_USAGE) }
}

/**
 * Rejects a project with memories switched off: every forbidden row would be missing, so the case would test nothing.
 */
async function refuseSwitchedOff(ctx: Given<'context'>): Promise<void> {
  const { learns } = await memorySwitches(ctx)
  if (learns) return
  throw new AppError('invalid_input', 'Memory is off for this project (memory: off in ken.yaml).', {
    hint: 'Remove that line or this case.',
  })
}

/** Adds the given memories, each a little newer than the previous one. */
async function giveRows(ctx: Given, given: CaseOf<'memory'>['given'], { memories }: AnalystState): Promise<void> {
  const now = ctx.clock.now().getTime()
  const rows = given.map(({ category, content }, i): MemoryRow => {
    const at = new Date(now - given.length + i).toISOString()
    const evidence = { words: content, source: 'test' }
    return { id: ctx.clock.ulid(), user: ctx.user, category, content, evidence, createdAt: at, updatedAt: at }
  })
  if (rows.length > 0)
    await memories.apply(
      ctx.user,
      rows.map((row) => ({ kind: 'add', row })),
    )
}

async function startChat(ctx: Given, { chats }: AnalystState): Promise<Chat> {
  const at = ctx.clock.now().toISOString()
  const project = await projectKey(ctx)
  const chat = { id: ctx.clock.ulid(), user: ctx.user, project, folder: ctx.cwd, title: 'test' }
  const whole = { ...chat, starred: false, createdAt: at, updatedAt: at }
  await chats.start(whole)
  return whole
}

interface Heard {
  readonly text: string
  readonly chat: Chat
  readonly answerer: Answerer | undefined
}

/** Processes one message like a turn; returns why less was learned than possible. */
async function hear(
  ctx: Given<'context' | 'record'>,
  { text, chat, answerer }: Heard,
  state: AnalystState,
): Promise<readonly string[]> {
  throwIfStopped(ctx.signal)
  const at = ctx.clock.now().toISOString()
  const message = { id: ctx.clock.ulid(), chat: chat.id, role: 'user' as const, at, superseded: false }
  await state.log.begin(message, [{ kind: 'text', text }])
  await state.log.end(message.id, { reason: 'answered', usage: NO_USAGE, milliseconds: 0, steps: 0 })
  const { refused, failure } = await learnFromTurn(ctx, { chat, answerer, isPerson: true }, state)
  throwIfStopped(ctx.signal)
  const isUnheard = (await state.calls.list({ chat: chat.id })).some((one) => one.failed)
  // Rules were used instead of the model, so the result does not measure the model.
  if (failure !== undefined && isUnheard) throw new AppError('unavailable', `The model did not answer: ${failure}`)
  return [
    ...(failure === undefined ? [] : [`by rule alone: ${failure}`]),
    ...refused.map(({ content, why }) => `not kept: ${ellipsis(content, 120)} (${why})`),
  ]
}

function rowChecks(test: CaseOf<'memory'>, rows: readonly MemoryRow[]): TestCheck[] {
  const held = rows.length === 0 ? 'nothing is remembered' : `remembered: ${rows.map(lineOf).join('; ')}`
  return [
    ...test.expected.map(({ category, contains }) => {
      const row = rows.find(
        (one) =>
          (category === undefined || one.category === category) &&
          contains.every((words) => saysWords(one.content, words)),
      )
      const what = category === 'global_rule' ? 'a rule' : category === 'personal_fact' ? 'a fact' : 'a row'
      return {
        expects: `remembers ${what} that holds ${contains.map(quoted).join(' and ')}`,
        passed: row !== undefined,
        found: row === undefined ? held : lineOf(row),
      }
    }),
    ...test.forbidden.map((words) => {
      const row = rows.find(({ content }) => saysWords(content, words))
      return {
        expects: `remembers nothing that holds ${quoted(words)}`,
        passed: row === undefined,
        ...(row !== undefined && { found: lineOf(row) }),
      }
    }),
    ...(test.most === undefined
      ? []
      : [
          {
            expects: `remembers at most ${plural(test.most, 'row')}`,
            passed: rows.length <= test.most,
            found: rows.length <= test.most ? plural(rows.length, 'row') : `${plural(rows.length, 'row')}: ${held}`,
          },
        ]),
  ]
}

/** Uses another chat: a chat already contains the memories learned in it. */
async function nextChecks(
  ctx: Given<'context' | 'record'>,
  next: CaseOf<'memory'>['next'],
  state: AnalystState,
): Promise<readonly TestCheck[]> {
  if (next === undefined) return []
  const lines = await injectedLines(ctx, next.prompt, state)
  const all = lines.length === 0 ? 'nothing is put before the model' : `put before the model: ${lines.join('; ')}`
  return [
    ...next.injected.map((words) => {
      const line = lines.find((one) => saysWords(one, words))
      return { expects: `next time the model is told ${quoted(words)}`, passed: line !== undefined, found: line ?? all }
    }),
    ...next.not_injected.map((words) => {
      const line = lines.find((one) => saysWords(one, words))
      return {
        expects: `next time the model is not told ${quoted(words)}`,
        passed: line === undefined,
        ...(line !== undefined && { found: line }),
      }
    }),
  ]
}

/** The memories, or with a prompt everything that the turn gives the model, as shown to a person. */
async function injectedLines(
  ctx: Given<'context' | 'record'>,
  prompt: string | undefined,
  state: AnalystState,
): Promise<readonly string[]> {
  const chat = await startChat(ctx, state)
  if (prompt === undefined) {
    const { injected } = await memoriesForTurn(state.memories, { user: ctx.user, project: chat.project, chat: chat.id })
    return injected.map(({ content }) => content)
  }
  const asked = { words: prompt, images: [], chat, earlier: [], isClient: false, window: Number.POSITIVE_INFINITY }
  return linesOf((await prepareTurn(ctx, asked, state)).gathered.injected)
}

const linesOf = ({
  rules,
  memories,
  decisions,
  skills,
  tables,
  stories,
  examples = [],
}: Injected): readonly string[] => [
  ...(rules === undefined ? [] : [rules.path]),
  ...memories.map(({ content }) => content),
  ...decisions.map(({ number, title }) => `D${number} ${title}`),
  ...skills.map((name) => `skill ${name}`),
  ...tables.map((name) => `table ${name}`),
  ...stories.map((slug) => `story ${slug}`),
  ...examples.map((from) => `example ${from}`),
]

const lineOf = ({ category, content }: MemoryRow): string => `${category}: ${ellipsis(content, 300)}`
const quoted = (words: string): string => `"${ellipsis(words, 120)}"`
