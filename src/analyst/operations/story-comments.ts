import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { noneYet } from '../../kernel/domain/phrases.ts'
import { plural } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { anchorsOf, placeOf } from '../domain/story/comment-places.ts'
import { threadsOf, type CommentThread, type StoryComment } from '../domain/story/comment.ts'
import { readStory } from '../domain/story/read-story.ts'
import type { Story, StoryVersion } from '../domain/story/story.ts'
import { newestVersion } from '../save-story.ts'
import { isAdminHere } from './is-admin-here.ts'
import { ownerNames } from './owner-names.ts'
import { slugField, versionOf } from './stories.ts'
import { readableStory } from './story-parts.ts'

const entryShape = {
  by: z.string().describe('Name of the person.'),
  agent: z.boolean().describe('Written by an agent for that person.'),
  at: z.string(),
}

const threadShape = z.object({
  id: z.string(),
  on: z.string().optional().describe('Name of the block; absent for the whole story.'),
  block: z.number().optional().describe('Number of that block, counted from the top; absent if it is gone.'),
  resolved: z.object(entryShape).optional(),
  comments: z.array(
    z.object({
      id: z.string(),
      ...entryShape,
      text: z.string(),
      removable: z.boolean().describe('Whether you can remove it.'),
    }),
  ),
})

export type ShownThread = z.output<typeof threadShape>

export const storyComments = defineOperation({
  name: 'story_comments',
  title: 'List comments on a story',
  summary: 'List the comments on a story, by block.',
  effect: 'read',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    slug: slugField,
    version: z.number().int().min(1).optional().describe('Place them in this version; default: the newest.'),
  },
  output: { slug: z.string(), threads: z.array(threadShape) },
  examples: [{ title: 'All', input: { slug: 'sales' } }],
  async run(ctx, input) {
    const state = await ctx.analystState()
    const story = await readableStory(ctx, input.slug)
    const version = await versionOf(state, story, input.version)
    return { slug: story.slug, threads: await shownThreads(ctx, story, version) }
  },
  isPaged: () => true,
  render({ slug, threads }, _input, view = PLAIN) {
    if (threads.length === 0) return noneYet('comments')
    const open = threads.filter(({ resolved }) => resolved === undefined).length
    const head = `${slug}: ${plural(open, 'open thread')}, ${threads.length - open} resolved.`
    const shown = threads.map((thread) => {
      const lines = thread.comments.map(
        ({ id, text, ...entry }) =>
          `  ${writer(entry)}, ${dated(entry.at, view)} (${shortCommentId(id)}): ${text.replaceAll('\n', '\n    ')}`,
      )
      const end = thread.resolved && `  Resolved by ${writer(thread.resolved)}, ${dated(thread.resolved.at, view)}.`
      return [view.mark('title', placeWords(thread)), ...lines, ...(end === undefined ? [] : [end])].join('\n')
    })
    return [head, ...shown].join('\n\n')
  },
})

/** Threads with their places in a version, as the caller may see them. */
export async function shownThreads(
  ctx: Given<'analyst'>,
  story: Story,
  { text }: StoryVersion,
): Promise<ShownThread[]> {
  const { comments } = await ctx.analystState()
  const threads = threadsOf(await comments.list(story.id))
  const present = threads.some(({ anchor }) => anchor !== undefined) ? anchorsOf(readStory(text).blocks) : []
  const isAdmin = await isAdminHere(ctx, story.project)
  const named = await ownerNames(
    ctx,
    threads.flatMap(({ written, resolved }) => [...written, ...(resolved ? [resolved] : [])].map(({ user }) => user)),
  )
  // A machine has only one user.
  const entry = ({ user, byAgent, at }: StoryComment) => ({
    by: ctx.team === undefined ? 'You' : named(user).name,
    agent: byAgent,
    at,
  })
  return threads.map(({ id, anchor, written, resolved }) => {
    const place = anchor && placeOf(anchor, present)
    return {
      id,
      ...(anchor !== undefined && { on: anchor.name }),
      ...(place !== undefined && { block: place + 1 }),
      ...(resolved !== undefined && { resolved: entry(resolved) }),
      comments: written.map((one) => ({
        id: one.id,
        ...entry(one),
        text: one.text,
        removable: isAdmin || one.user === ctx.user,
      })),
    }
  })
}

export const commentField = z.string().trim().min(4).max(26).describe('Id of a comment, or the end of it.')

/** The end of an id: ids made at about the same time begin alike. */
export const shortCommentId = (id: string): string => id.slice(-6)

/** A story that the caller may read, with its threads. */
export async function commentedStory(
  ctx: Given<'analyst'>,
  slug: string,
): Promise<{ readonly story: Story; readonly entries: readonly StoryComment[] }> {
  const { comments } = await ctx.analystState()
  const story = await readableStory(ctx, slug)
  return { story, entries: await comments.list(story.id) }
}

/** Finds a written comment and its thread. */
export function commentNamed(
  entries: readonly StoryComment[],
  named: string,
): { readonly comment: StoryComment; readonly thread: CommentThread } {
  const wanted = named.toUpperCase()
  const found = threadsOf(entries).flatMap((thread) =>
    thread.written.flatMap((comment) => (comment.id.endsWith(wanted) ? [{ comment, thread }] : [])),
  )
  if (found.length === 1) return found[0]!
  throw new AppError(
    found.length === 0 ? 'not_found' : 'invalid_input',
    found.length === 0 ? `No comment ${wanted}.` : `Several comments end in ${wanted}.`,
    { hint: `List them with ${operationNamed('story_comments')}.` },
  )
}

/** The block that a comment is to be about, by its number or by words of it. */
export async function anchorNamed(
  ctx: Given<'analyst'>,
  story: Story,
  { on, version }: { readonly on: string; readonly version: number | undefined },
): Promise<CommentThread['anchor']> {
  const newest = await newestVersion(await ctx.analystState(), story)
  if (version !== undefined && version !== newest.version)
    throw new AppError('conflict', `Version ${newest.version} of ${story.slug} was saved since version ${version}.`, {
      hint: 'Show the story again and comment on its newest version.',
    })
  const all = anchorsOf(readStory(newest.text).blocks)
  if (/^\d{1,6}$/.test(on)) {
    const block = all[Number(on) - 1]
    if (block !== undefined) return block
    throw new AppError('not_found', `${story.slug} has no block ${on}.`, { hint: `It has ${all.length}.` })
  }
  const words = on.replaceAll(/\s+/g, ' ').toLowerCase()
  const found = all.flatMap((block, at) => (block.text.toLowerCase().includes(words) ? [{ block, at }] : []))
  if (found.length === 1) return found[0]!.block
  if (found.length === 0)
    throw new AppError('not_found', `No block of ${story.slug} has these words.`, {
      hint: 'Use words of the block as the story shows them.',
    })
  const numbers = found.slice(0, 10).map(({ at }) => at + 1)
  throw new AppError('invalid_input', `${found.length} blocks of ${story.slug} have these words.`, {
    hint: `Use more words, or a number: ${numbers.join(', ')}.`,
  })
}

const writer = ({ by, agent }: { readonly by: string; readonly agent: boolean }): string =>
  agent ? `${by} (through an agent)` : by

/** What a thread is about, in words. */
const placeWords = ({ on, block }: Pick<ShownThread, 'on' | 'block'>): string => {
  if (on === undefined) return 'The story'
  return block === undefined ? `A block that is gone: ${on}` : `Block ${block}: ${on}`
}
