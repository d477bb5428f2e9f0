import type { BoundValue } from '../context/domain/sql/bind-names.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { plural } from '../kernel/domain/text.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { HeldLease } from '../kernel/ports/shared-lease.ts'
import { currentNumber, type BoundNumber } from './domain/story/bound-number.ts'
import { queriesOf, readStory } from './domain/story/read-story.ts'
import { bindNumbers } from './domain/story/story-numbers.ts'
import { bindParams, type MadeWith } from './domain/story/story-params.ts'
import {
  storyResultText,
  type Story,
  type StoryData,
  type StoryRefresh,
  type StoryResult,
} from './domain/story/story.ts'
import { newestVersion, type StoryParts } from './save-story.ts'
import { dataFromChat, madeOf, resultsIn } from './story-data.ts'

/** Runs a statement of a story like a new one: through the current gate, not the gate of the day it was written. */
export type RunStoryQuery = (
  story: Story,
  query: {
    /** Undefined for the only database of the context. */
    readonly database: string | undefined
    readonly sql: string
    /** Values that the driver binds to the names in it; undefined if it has none. */
    readonly values: ReadonlyMap<string, BoundValue> | undefined
  },
) => Promise<(StoryResult & { readonly database: string }) | { readonly refused: string }>

export interface RefreshParts extends StoryParts {
  readonly runQuery: RunStoryQuery
  /** Acquires the lease to refresh a story; undefined while another process holds it. */
  lease(story: string): Promise<HeldLease | undefined>
  /** Called before each query. */
  progress?(message: string, done: number, total: number): void
}

/**
 * Runs every query of a story again. All or nothing: the rows are replaced only if every query succeeds; otherwise the
 * last good ones stay, and the story shows the reason. Returns undefined while another process refreshes the story.
 */
export async function refreshStory(
  parts: RefreshParts,
  story: Story,
  {
    isWanted = () => true,
    chosen = {},
  }: {
    /** Checked once the lease is held: another process may have refreshed the story meanwhile. */
    readonly isWanted?: (story: Story) => boolean
    /** Values of parameters from now on; a wrong one throws `invalid_input` and changes nothing. */
    readonly chosen?: Readonly<Record<string, string>>
  } = {},
): Promise<StoryRefresh | undefined> {
  const lease = await parts.lease(story.id)
  if (lease === undefined) return undefined
  try {
    const now = await parts.state.stories.find({ id: story.id })
    if (now === undefined || !isWanted(now)) return undefined
    return await refreshed(parts, now, chosen)
  } finally {
    await lease.release()
  }
}

async function refreshed(
  parts: RefreshParts,
  story: Story,
  chosen: Readonly<Record<string, string>>,
): Promise<StoryRefresh> {
  const { state, clock } = parts
  const { text } = await newestVersion(state, story)
  const before = await state.stories.data(story.id)
  const wanted = queriesOf(text)
  const has = new Set(before.map(({ query }) => query))
  const known = [...before, ...(await dataFromChat(state, { story: story.id, chat: story.chat, text, has }))]
  const { blocks, params, statements } = readStory(text)
  const results = resultsIn(known)
  const { values, made } = bindParams(params, {
    chosen,
    before: madeOf(results, wanted),
    results,
    today: todayOf(story, clock.now()),
  })
  // Older stories have numbers that are not bound to cells.
  const bound = bindNumbers(blocks, results)
  const asked = wanted.flatMap((query): Asked[] => {
    const kept = known.find((one) => one.query === query)
    const own = statements.find((one) => one.query === query)
    const last = bound.get(query)
    if (own !== undefined)
      return [{ ...own, values, made, last, isSame: kept?.sql === own.sql && isMadeWith(last, made) }]
    return kept === undefined ? [] : [{ ...kept, values: undefined, made, last, isSame: true }]
  })
  const fresh: StoryData[] = []
  try {
    for (const [done, one] of asked.entries()) {
      parts.progress?.(`Asking ${one.database ?? 'the database'} for ${one.query}.`, done, asked.length)
      fresh.push(await askedAnew(parts, story, one))
    }
  } catch (error) {
    const failure = toAppError(error)
    // A refresh stopped by a person has not failed.
    if (failure.code === 'stopped') throw failure
    const refresh: StoryRefresh = { at: clock.now().toISOString(), ok: false, problem: failure.line }
    await state.stories.keepRefresh(story.id, refresh, [])
    return refresh
  }
  const refresh: StoryRefresh = { at: clock.now().toISOString(), ok: true }
  // Rows used only by an earlier version are kept, in case it is restored.
  const others = known.filter(({ query }) => !wanted.includes(query))
  await state.stories.keepRefresh(story.id, refresh, [...others, ...fresh])
  return refresh
}

/** Relative periods are those of the person who set the schedule, else of this machine. */
const todayOf = ({ schedule }: Story, now: Date): string => {
  const timeZone = schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now)
}

interface Asked {
  readonly query: string
  readonly database: string | undefined
  readonly sql: string
  readonly values: ReadonlyMap<string, BoundValue> | undefined
  readonly made: readonly MadeWith[]
  /** Its rows before, with the numbers bound to them. */
  readonly last: StoryResult | undefined
  /** The same statement with the same values: other rows show something else, and are not compared. */
  readonly isSame: boolean
}

const isMadeWith = (last: StoryResult | undefined, made: readonly MadeWith[]): boolean =>
  made.every(({ name, value }) => (last?.made ?? []).some((one) => one.name === name && one.value === value))

async function askedAnew(
  parts: RefreshParts,
  story: Story,
  { query, database, sql, values, made, last, isSame }: Asked,
): Promise<StoryData> {
  const at = database === undefined ? query : `${query} on ${database}`
  const said = await parts.runQuery(story, { database, sql, values }).catch((error: unknown) => {
    const failure = toAppError(error)
    throw new AppError(failure.code, `${at}: ${failure.message}`, {
      ...(failure.hint !== undefined && { hint: failure.hint }),
      cause: error,
    })
  })
  if ('refused' in said)
    throw new AppError('forbidden', `${at} is ${last === undefined ? 'not' : 'no longer'} allowed: ${said.refused}`)
  const { database: asked, ...result } = said
  const written = storyResultText({ ...result, made, ...movesSince(last, result, isSame) })
  return { story: story.id, query, database: asked, sql, result: written, at: parts.clock.now().toISOString() }
}

/** The bound numbers, and what they were before. */
function movesSince(
  last: StoryResult | undefined,
  result: StoryResult,
  isSame: boolean,
): Pick<StoryResult, 'bound' | 'was'> {
  const bound = last?.bound?.map(({ was: _, ...one }) => one)
  if (last === undefined || !isSame) return bound === undefined ? {} : { bound }
  const [row, second] = last.rows
  const isOneRow = row !== undefined && second === undefined && result.rows.length === 1
  return {
    ...(bound !== undefined && { bound: bound.map((one) => ({ ...one, ...valueBefore(one, last) })) }),
    ...(isOneRow && { was: Object.fromEntries(last.columns.map(({ name }, at) => [name, row[at] ?? null])) }),
  }
}

function valueBefore(bound: BoundNumber, { columns, rows, cut }: StoryResult): Pick<BoundNumber, 'was'> {
  const before = currentNumber(bound, { id: '', columns, rows, rowCount: rows.length, cut })
  return 'missing' in before ? {} : { was: before.value }
}

/** Result of a refresh, for people. */
export function sayRefresh({ ok, problem }: StoryRefresh, data: readonly StoryData[]): string {
  if (ok) return `Refreshed: ${plural(data.length, 'query', 'queries')}.`
  const oldest = data.map(({ at }) => at).toSorted()[0]
  const kept =
    oldest === undefined
      ? 'It has no rows yet.'
      : `It still shows the rows of ${oldest.slice(0, 16).replace('T', ' ')} UTC.`
  return `The refresh failed: ${problem ?? 'nobody knows why.'} ${kept}`
}
