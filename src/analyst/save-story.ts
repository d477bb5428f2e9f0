import { AppError } from '../kernel/domain/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { LONGEST_STORY } from './domain/story/edit-story.ts'
import { layOutStory } from './domain/story/lay-out-story.ts'
import { readStory, waitingIn } from './domain/story/read-story.ts'
import type { StoryFault } from './domain/story/story-blocks.ts'
import { bindNumbers, sourceOf, wrongNumbers } from './domain/story/story-numbers.ts'
import {
  freeSlug,
  storySlug,
  storyResultText,
  type Story,
  type StoryData,
  type StoryVersion,
} from './domain/story/story.ts'
import type { AnalystState } from './ports/analyst-state.ts'
import { addData, dataFromChat, resultsIn } from './story-data.ts'

export interface StoryParts {
  readonly state: AnalystState
  readonly clock: Clock
}

export interface SavedStory {
  readonly story: Story
  readonly version: number
  /** Tags of the saved text that cannot be drawn. */
  readonly faults: readonly StoryFault[]
  /** Unreliable numbers of the saved text. */
  readonly notices: readonly string[]
  /** Queries of its statements that a refresh has still to run. */
  readonly waiting: readonly string[]
}

/** Refuses a new citation of a number that its result does not have, or saves and marks it for readers. */
export type WrongNumbers = 'refuse' | 'mark'

export interface NewStory extends Pick<Story, 'user' | 'project' | 'folder' | 'chat' | 'title'> {
  /** Derived from the title if undefined. */
  readonly slug: string | undefined
  readonly text: string
  readonly by: StoryVersion['by']
  readonly wrong?: WrongNumbers
  /** Rows of the story that it is a copy of. */
  readonly data?: readonly StoryData[]
}

/** Creates a story with its first version, drawn from the results of its chat. */
export async function createStory(parts: StoryParts, given: NewStory): Promise<SavedStory> {
  const { state, clock } = parts
  checkText(given.text)
  const { slug: _named, text, by, wrong = 'refuse', data: copied = [], ...facts } = given
  const at = clock.now().toISOString()
  const story: Story = { ...facts, id: clock.ulid(), slug: await slugFor(state, given), createdAt: at, updatedAt: at }
  const data = await dataFor(state, story, { text, before: '', wrong, copied })
  await state.stories.create(story, { story: story.id, version: 1, at, by, text })
  return saved(state, story, { version: 1, text, at, data })
}

/** Adds the next version of a story; earlier ones are kept. An identical one is not stored twice. */
export async function saveVersion(
  parts: StoryParts,
  story: Story,
  {
    text,
    by,
    title,
    wrong = 'refuse',
  }: { text: string; by: StoryVersion['by']; title?: string | undefined; wrong?: WrongNumbers },
): Promise<SavedStory & { readonly changed: boolean }> {
  const { state, clock } = parts
  checkText(text)
  const last = (await state.stories.versions(story.id)).at(-1)
  const data = await dataFor(state, story, { text, before: last?.text ?? '', wrong })
  const isRenamed = title !== undefined && title !== story.title
  if (isRenamed) await state.stories.change(story.id, { title })
  const at = clock.now().toISOString()
  const isSame = last?.text === text
  const version = isSame ? last.version : await state.stories.addVersion({ story: story.id, at, by, text })
  return {
    ...(await saved(state, { ...story, ...(title !== undefined && { title }) }, { version, text, at, data })),
    changed: !isSame || isRenamed,
  }
}

/** Returns the newest version; every story has one. */
export async function newestVersion(state: AnalystState, story: Story): Promise<StoryVersion> {
  const newest = (await state.stories.versions(story.id)).at(-1)
  if (newest === undefined) throw new AppError('damaged', `The story ${story.slug} is empty.`)
  return newest
}

/** Results that the text cites, from the story and its chat, with the numbers bound to each. */
async function dataFor(
  state: AnalystState,
  { id, chat }: Pick<Story, 'id' | 'chat'>,
  {
    text,
    before,
    wrong,
    copied = [],
  }: { text: string; before: string; wrong: WrongNumbers; copied?: readonly StoryData[] },
): Promise<readonly StoryData[]> {
  const own = await state.stories.data(id)
  const given = copied.map((one) => ({ ...one, story: id }))
  const has = new Set([...own, ...given].map(({ query }) => query))
  const all = [...own, ...given, ...(await dataFromChat(state, { story: id, chat, text, has }))]
  const { blocks } = readStory(text)
  const results = resultsIn(all)
  if (wrong === 'refuse') refuseWrong(wrongNumbers(blocks, results), before)
  const bound = bindNumbers(blocks, results)
  return all.flatMap((one) => {
    const result = bound.get(one.query)
    const written = result === undefined ? one.result : storyResultText(result)
    return own.includes(one) && written === one.result ? [] : [{ ...one, result: written }]
  })
}

/** Citations that the story had before are accepted: readers see their marks. */
function refuseWrong(wrong: ReturnType<typeof wrongNumbers>, before: string): void {
  const added = wrong.filter(({ label, place }) => !before.includes(`[${label}](${place})`))
  if (added.length === 0) return
  const told = added
    .slice(0, MOST_TOLD)
    .map((one) =>
      one.query === undefined
        ? `${one.label}: no query gave ${one.text}`
        : `${one.label}: ${sourceOf(one)} has ${one.found ?? 'no number'}`,
    )
  throw new AppError('invalid_input', `Numbers differ from the data: ${told.join('; ')}.`, {
    hint: 'Use the cell’s value or remove the link: a number without a query is marked as such.',
  })
}

const MOST_TOLD = 10

async function saved(
  state: AnalystState,
  story: Story,
  { version, text, at, data }: { version: number; text: string; at: string; data: readonly StoryData[] },
): Promise<SavedStory> {
  await addData(state, story, { added: data, at })
  const kept = await state.stories.data(story.id)
  const { faults, notices } = layOutStory(text, resultsIn(kept))
  return { story, version, faults, notices, waiting: waitingIn(readStory(text), kept) }
}

/** Returns the slug for a new story: the state rejects a requested slug that is taken, and changes a derived one. */
async function slugFor(state: AnalystState, { user, project, slug, title }: NewStory): Promise<string> {
  if (slug !== undefined) {
    const clean = storySlug(slug)
    if (clean !== '') return clean
    throw new AppError('invalid_input', `"${slug.slice(0, 60)}" needs a letter or digit to be a slug.`)
  }
  const lists = await Promise.all([false, true].map((archived) => state.stories.list({ user, project, archived })))
  const taken = new Set(lists.flat().map((one) => one.slug))
  return freeSlug(storySlug(title), (one) => taken.has(one))
}

function checkText(text: string): void {
  if (text.trim() === '') throw new AppError('invalid_input', 'A story needs a text.')
  if (text.length > LONGEST_STORY)
    throw new AppError('invalid_input', `A story has at most ${LONGEST_STORY.toLocaleString('en-US')} characters.`, {
      hint: `This text has ${text.length.toLocaleString('en-US')}.`,
    })
}
