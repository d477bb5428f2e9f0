import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { isOfPerson } from '../../kernel/domain/origin.ts'
import { plainText } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import type { StoryComment } from '../domain/story/comment.ts'
import type { Story } from '../domain/story/story.ts'
import { isAdminHere } from './is-admin-here.ts'
import { slugField } from './stories.ts'
import { anchorNamed, commentedStory, commentField, commentNamed, shortCommentId } from './story-comments.ts'

const LONGEST = 5_000
// Entries of one story.
const MOST = 1_000

export const storyComment = defineOperation({
  name: 'story_comment',
  title: 'Comment on a story',
  summary: 'Comment on a story or one of its blocks, or answer a comment.',
  details:
    'A comment follows its block when the text of the story changes. Comments are not part of the story: a copy and an export leave them out, and people you share the story with see those written from then on.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug', 'text'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    slug: slugField,
    text: z.string().min(1).max(LONGEST).describe('The comment, as plain text.'),
    on: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .optional()
      .describe('Block it is about: its number, counted from the top, or words of it; default: the whole story.'),
    answers: commentField.optional().describe('Comment it answers.'),
    version: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Version that the number counts in; refused if a newer one was saved.'),
  },
  output: { id: z.string(), slug: z.string(), thread: z.string() },
  examples: [
    { title: 'On the story', input: { slug: 'sales', text: 'Are these figures net?' } },
    { title: 'On one block', input: { slug: 'sales', text: 'By region as well?', on: 'by kind' } },
  ],
  async run(ctx, { slug, text, on, answers, version }) {
    if (on !== undefined && answers !== undefined)
      throw new AppError('invalid_input', 'An answer is about the block of its thread.', {
        hint: 'Leave out the block.',
      })
    const said = plainText(text).trim()
    if (said === '') throw new AppError('invalid_input', 'A comment needs a text.')
    const { story, entries } = await commentedStory(ctx, slug)
    refuseMore(story, entries)
    const thread = answers === undefined ? undefined : commentNamed(entries, answers).thread.written[0]!
    const anchor =
      thread === undefined && on !== undefined ? await anchorNamed(ctx, story, { on, version }) : thread?.anchor
    const { id, thread: of } = await addEntry(ctx, story, { kind: 'written', text: said, thread, anchor })
    return { id, slug: story.slug, thread: of }
  },
  render: ({ slug, id }) => `Commented on ${slug} (${shortCommentId(id)}).`,
})

export const storyCommentResolve = defineOperation({
  name: 'story_comment_resolve',
  title: 'Resolve a comment',
  summary: 'Resolve the thread of a comment on a story, or reopen it.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug', 'comment'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    slug: slugField,
    comment: commentField.describe('Id of any comment of the thread, or the end of it.'),
    reopen: z.boolean().default(false).describe('Reopen it instead.'),
  },
  output: { slug: z.string(), thread: z.string(), resolved: z.boolean(), changed: z.boolean() },
  examples: [{ title: 'It is settled', input: { slug: 'sales', comment: '01K0C0MMENT000000000000000' } }],
  async run(ctx, { slug, comment, reopen }) {
    const { story, entries } = await commentedStory(ctx, slug)
    const { thread } = commentNamed(entries, comment)
    const changed = (thread.resolved === undefined) !== reopen
    if (changed) {
      refuseMore(story, entries)
      await addEntry(ctx, story, { kind: reopen ? 'reopened' : 'resolved', text: '', thread: thread.written[0]! })
    }
    return { slug: story.slug, thread: thread.id, resolved: !reopen, changed }
  },
  render: ({ resolved, changed }) =>
    changed ? (resolved ? 'Resolved.' : 'Reopened.') : resolved ? 'It is resolved already.' : 'It is open already.',
})

export const storyCommentRemove = defineOperation({
  name: 'story_comment_remove',
  title: 'Remove a comment',
  summary: 'Delete your comment on a story; admins can delete anyone’s.',
  details: 'Its text is deleted for good. Answers of others stay.',
  effect: 'write',
  destructive: true,
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug', 'comment'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: { slug: slugField, comment: commentField },
  output: { slug: z.string(), id: z.string() },
  examples: [{ title: 'One’s own', input: { slug: 'sales', comment: '01K0C0MMENT000000000000000' } }],
  async run(ctx, { slug, comment: named }) {
    const { story, entries } = await commentedStory(ctx, slug)
    const { id, user } = commentNamed(entries, named).comment
    if (user === ctx.user) await (await ctx.analystState()).comments.remove(id)
    else {
      if (!(await isAdminHere(ctx, story.project)))
        throw new AppError('forbidden', 'Only its writer or an admin of the project can remove a comment.')
      await (await ctx.oversight!()).removeComment(id)
    }
    ctx.team?.concerns(id)
    return { slug: story.slug, id }
  },
  render: () => 'Removed.',
})

function refuseMore({ slug }: Story, { length }: readonly StoryComment[]): void {
  if (length < MOST) return
  throw new AppError('invalid_input', `${slug} has ${MOST.toLocaleString('en-US')} comments, and takes no more.`, {
    hint: 'Remove comments that are settled.',
  })
}

/** Adds an entry to a thread, or begins one. */
async function addEntry(
  ctx: Given<'analyst'>,
  { id: story }: Story,
  {
    thread,
    anchor = thread?.anchor,
    ...given
  }: Pick<StoryComment, 'kind' | 'text'> & {
    /** Any comment of the thread; undefined to begin one. */
    readonly thread: StoryComment | undefined
    readonly anchor?: StoryComment['anchor']
  },
): Promise<StoryComment> {
  const [id, at] = [ctx.clock.ulid(), ctx.clock.now().toISOString()]
  const entry: StoryComment = {
    ...given,
    id,
    story,
    thread: thread?.thread ?? id,
    begunAt: thread?.begunAt ?? at,
    user: ctx.user,
    at,
    byAgent: !isOfPerson(ctx.origin),
    ...(anchor !== undefined && { anchor }),
  }
  await (await ctx.analystState()).comments.add(entry)
  ctx.team?.concerns(id)
  return entry
}
