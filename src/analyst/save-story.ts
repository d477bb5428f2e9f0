import { AppError } from '../kernel/domain/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { LONGEST_STORY } from './domain/story/edit-story.ts'
import { layOutStory } from './domain/story/lay-out-story.ts'
import type { StoryFault } from './domain/story/story-blocks.ts'
import { freeSlug, storySlug } from './domain/story/story-slug.ts'
import type { Story, StoryVersion } from './domain/story/story.ts'
import type { AnalystState } from './ports/analyst-state.ts'
import { addData, dataFromChat, resultsOf } from './story-data.ts'

export interface StoryParts {
  readonly state: AnalystState
  readonly clock: Clock
}

export interface SavedStory {
  readonly story: Story
  readonly version: number
  /** Tags of the saved text that cannot be drawn. */
  readonly faults: readonly StoryFault[]
}

export interface NewStory extends Pick<Story, 'user' | 'project' | 'folder' | 'chat' | 'title'> {
  /** Derived from the title if undefined. */
  readonly slug: string | undefined
  readonly text: string
  readonly by: StoryVersion['by']
}

/** Creates a story with its first version, drawn from the results of its chat. */
export async function createStory(parts: StoryParts, given: NewStory): Promise<SavedStory> {
  const { state, clock } = parts
  checkText(given.text)
  const { slug: _named, text, by, ...facts } = given
  const at = clock.now().toISOString()
  const story: Story = { ...facts, id: clock.ulid(), slug: await slugFor(state, given), createdAt: at, updatedAt: at }
  await state.stories.create(story, { story: story.id, version: 1, at, by, text })
  return saved(parts, story, { version: 1, text, at })
}

/** Adds the next version of a story; earlier ones are kept. An identical one is not stored twice. */
export async function saveVersion(
  parts: StoryParts,
  story: Story,
  { text, by, title }: { text: string; by: StoryVersion['by']; title?: string | undefined },
): Promise<SavedStory & { readonly changed: boolean }> {
  const { state, clock } = parts
  checkText(text)
  const last = (await state.stories.versions(story.id)).at(-1)
  const isRenamed = title !== undefined && title !== story.title
  if (isRenamed) await state.stories.change(story.id, { title })
  const at = clock.now().toISOString()
  const isSame = last?.text === text
  const version = isSame ? last.version : await state.stories.addVersion({ story: story.id, at, by, text })
  return {
    ...(await saved(parts, { ...story, ...(title !== undefined && { title }) }, { version, text, at })),
    changed: !isSame || isRenamed,
  }
}

/** Returns the newest version; every story has one. */
export async function newestVersion(state: AnalystState, story: Story): Promise<StoryVersion> {
  const newest = (await state.stories.versions(story.id)).at(-1)
  if (newest === undefined) throw new AppError('damaged', `The story ${story.slug} has no text.`)
  return newest
}

async function saved(
  { state }: StoryParts,
  story: Story,
  { version, text, at }: { version: number; text: string; at: string },
): Promise<SavedStory> {
  const has = new Set((await state.stories.data(story.id)).map(({ query }) => query))
  const added = await dataFromChat(state, { story: story.id, chat: story.chat, text, has })
  await addData(state, story, { added, at })
  return { story, version, faults: layOutStory(text, await resultsOf(state, story.id)).faults }
}

/**
 * Returns the slug of a new story: a requested slug that is taken is rejected by the state, a derived one is changed.
 */
async function slugFor(state: AnalystState, { user, project, slug, title }: NewStory): Promise<string> {
  if (slug !== undefined) {
    const clean = storySlug(slug)
    if (clean !== '') return clean
    throw new AppError('invalid_input', `"${slug.slice(0, 60)}" has no letter or digit to make a slug of.`)
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
