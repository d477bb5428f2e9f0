import { queriesOf } from './domain/story/read-story.ts'
import type { MadeWith } from './domain/story/story-params.ts'
import { readStoryResult, storyResultText, type Story, type StoryData, type StoryResult } from './domain/story/story.ts'
import type { AnalystState } from './ports/analyst-state.ts'

/** The rows of a story, by query. */
export const resultsOf = async (state: AnalystState, story: string): Promise<ReadonlyMap<string, StoryResult>> =>
  resultsIn(await state.stories.data(story))

export function resultsIn(data: readonly StoryData[]): ReadonlyMap<string, StoryResult> {
  const found = data.map(({ query, result }) => [query, readStoryResult(result)] as const)
  return new Map(found.filter((pair): pair is readonly [string, StoryResult] => pair[1] !== undefined))
}

/** Values that the rows of these queries were made with. */
export const madeOf = (results: ReadonlyMap<string, StoryResult>, queries: readonly string[]): readonly MadeWith[] =>
  queries.map((query) => results.get(query)?.made).find((made) => made !== undefined) ?? []

/** Returns results from the chat that a text uses and the story does not have yet. */
export async function dataFromChat(
  state: AnalystState,
  { story, chat, text, has }: { story: string; chat: string | undefined; text: string; has: ReadonlySet<string> },
): Promise<readonly StoryData[]> {
  if (chat === undefined) return []
  const missing = queriesOf(text).filter((query) => !has.has(query))
  const found = await Promise.all(missing.map((query) => state.queries.find(chat, query)))
  return found.flatMap((one) =>
    one === undefined
      ? []
      : [
          {
            story,
            query: one.id,
            database: one.database,
            sql: one.sql,
            result: storyResultText({ ...one, cut: one.cut || one.rowCount > one.rows.length }),
            at: one.at,
          },
        ],
  )
}

/** Adds rows to a story without changing the state of its last refresh. */
export async function addData(
  state: AnalystState,
  { id, lastRefresh }: Pick<Story, 'id' | 'lastRefresh'>,
  { added, at }: { added: readonly StoryData[]; at: string },
): Promise<void> {
  if (added.length === 0) return
  const before = await state.stories.data(id)
  await state.stories.keepRefresh(id, { at: lastRefresh?.ok === true ? lastRefresh.at : at, ok: true }, [
    ...before.filter(({ query }) => !added.some((one) => one.query === query)),
    ...added,
  ])
  // A failed refresh stays the last result: added rows do not fix it.
  if (lastRefresh?.ok === false) await state.stories.keepRefresh(id, lastRefresh, [])
}
