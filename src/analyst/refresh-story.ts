import { AppError } from '../kernel/domain/errors.ts'
import { plural } from '../kernel/domain/text.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { HeldLease } from '../kernel/ports/shared-lease.ts'
import { queriesOf, readStory } from './domain/story/read-story.ts'
import { bindNumbers } from './domain/story/story-numbers.ts'
import { storyResultText, type StoryResult } from './domain/story/story-result.ts'
import type { Story, StoryData, StoryRefresh } from './domain/story/story.ts'
import { newestVersion, type StoryParts } from './save-story.ts'
import { dataFromChat, resultsIn } from './story-data.ts'

/** Runs a statement of a story like a new one: through the current gate, not that of the day it was written. */
export type RunStoryQuery = (
  story: Story,
  query: { readonly database: string; readonly sql: string },
) => Promise<StoryResult | { readonly refused: string }>

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
  /** Checked once the lease is held: another process may have refreshed the story meanwhile. */
  isWanted: (story: Story) => boolean = () => true,
): Promise<StoryRefresh | undefined> {
  const lease = await parts.lease(story.id)
  if (lease === undefined) return undefined
  try {
    const now = await parts.state.stories.find({ id: story.id })
    if (now === undefined || !isWanted(now)) return undefined
    return await refreshed(parts, now)
  } finally {
    await lease.release()
  }
}

async function refreshed(parts: RefreshParts, story: Story): Promise<StoryRefresh> {
  const { state, clock } = parts
  const { text } = await newestVersion(state, story)
  const before = await state.stories.data(story.id)
  const wanted = new Set(queriesOf(text))
  const has = new Set(before.map(({ query }) => query))
  const known = [...before, ...(await dataFromChat(state, { story: story.id, chat: story.chat, text, has }))]
  const asked = known.filter(({ query }) => wanted.has(query))
  // Older stories have numbers that are not bound to cells.
  const bound = bindNumbers(readStory(text).blocks, resultsIn(known))
  const fresh: StoryData[] = []
  try {
    for (const [done, one] of asked.entries()) {
      parts.progress?.(`Asking ${one.database} for ${one.query}.`, done, asked.length)
      fresh.push(await askedAnew(parts, story, { ...one, bound: bound.get(one.query)?.bound }))
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
  const others = known.filter(({ query }) => !wanted.has(query))
  await state.stories.keepRefresh(story.id, refresh, [...others, ...fresh])
  return refresh
}

async function askedAnew(
  parts: RefreshParts,
  story: Story,
  { bound, ...one }: StoryData & Pick<StoryResult, 'bound'>,
): Promise<StoryData> {
  const { database, sql, query } = one
  const said = await parts.runQuery(story, { database, sql }).catch((error: unknown) => {
    const failure = toAppError(error)
    throw new AppError(failure.code, `${query} on ${database}: ${failure.message}`, {
      ...(failure.hint !== undefined && { hint: failure.hint }),
      cause: error,
    })
  })
  if ('refused' in said)
    throw new AppError('forbidden', `${query} on ${database} is no longer allowed: ${said.refused}`)
  return { ...one, result: storyResultText({ ...said, ...(bound && { bound }) }), at: parts.clock.now().toISOString() }
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
