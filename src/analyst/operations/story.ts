import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { plural } from '../../kernel/domain/text.ts'
import { plainText, visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation } from '../../operations/operation.ts'
import { LONGEST_STORY, replaceOnce } from '../domain/story/edit-story.ts'
import { storySlug, type StoryVersion } from '../domain/story/story.ts'
import { createStory, newestVersion, saveVersion, type SavedStory } from '../save-story.ts'
import { contextHere, projectKey } from './project-key.ts'
import { faultLines, findStory, noticesField, storyParts } from './story-parts.ts'

const storyInput = {
  action: z
    .enum(['create', 'update', 'replace'])
    .optional()
    .describe('update: find and replace; replace: the whole text.'),
  slug: z.string().min(1).max(100).optional(),
  title: z.string().min(1).max(200).optional(),
  text: z
    .string()
    .min(1)
    .max(LONGEST_STORY)
    .optional()
    .describe(
      'Markdown with <chart query="q_…" kind="line" x="month" y="revenue"/>, <table query="q_…" limit="50"/>, <grid cols="2">…</grid>.',
    ),
  find: z.string().min(1).max(LONGEST_STORY).optional().describe('Exact text that occurs once in the story.'),
  replace: z.string().max(LONGEST_STORY).optional().describe('The replacement.'),
}

type Input = z.output<z.ZodObject<typeof storyInput>>

export const story = defineOperation({
  name: 'story',
  title: 'Write a story',
  summary: 'Write or change a story: a page of Markdown with charts and tables of queries that ran in this chat.',
  forPeople: 'Write a story, or change one by find and replace.',
  searchHint: 'report, dashboard, page with charts',
  details:
    'A story is kept in versions: nothing is lost by a change. Kinds of charts: bar, stacked_bar, line, area, stacked_area, pie, scatter, radar, kpi. ' +
    'A number in prose is a link to its cell, e.g. `[1,234](q_0123456789ab.revenue.1)`: it follows the data when the story is refreshed. A link to a cell that has another number is refused, and a number that no query gave is marked.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context'],
  onServer: {},
  positional: ['action', 'slug'],
  hiddenFrom: { http: 'Only the analyst writes with it, in a turn of its own; people edit.' },
  input: storyInput,
  output: {
    slug: z.string(),
    title: z.string(),
    version: z.number(),
    changed: z.boolean(),
    faults: z.array(z.string()).describe('Parts that cannot be drawn, with their line.'),
    notices: noticesField,
  },
  examples: [
    {
      title: 'A first one',
      input: { action: 'create', title: 'Orders of the week', text: '# Orders of the week\n\nNothing to tell yet.' },
    },
    { title: 'A word in it', input: { action: 'update', slug: 'sales', find: 'by kind', replace: 'by kind of order' } },
  ],
  async run(ctx, input) {
    const saved = await perform(ctx, input)
    const { version, faults, notices } = saved
    const { slug, title } = saved.story
    if (ctx.turn !== undefined) await ctx.turn.add({ kind: 'story', call: ctx.turn.call, story: slug, version })
    return { slug, title, version, changed: saved.changed, faults: faultLines(faults), notices: [...notices] }
  },
  render: ({ slug, version, changed, faults, notices }) => {
    const done = changed
      ? `Saved ${slug}, version ${version}.`
      : `${slug} says that already; it stays at version ${version}.`
    const undrawn = `${done} ${plural(faults.length, 'thing')} in it cannot be drawn:`
    return [...(faults.length === 0 ? [done] : [undrawn, ...faults.map((line) => `- ${line}`)]), ...notices].join('\n')
  },
})

type Saved = SavedStory & { readonly changed: boolean }

async function perform(ctx: Given<'analyst' | 'context'>, input: Input): Promise<Saved> {
  const parts = await storyParts(ctx)
  // Within a turn the model is the author; outside one, a person at a terminal.
  const by: StoryVersion['by'] = ctx.turn === undefined && isPerson(ctx.origin) ? 'person' : 'analyst'
  const title = input.title === undefined ? undefined : visibleLine(input.title)
  const action = input.action ?? (input.find === undefined ? 'create' : 'update')
  if (action === 'create') return create(ctx, { ...input, title, by })
  const present = await findStory(ctx, needed(input.slug, 'slug', 'Which story is it?'))
  if (action === 'replace')
    return saveVersion(parts, present, {
      text: plainText(needed(input.text, 'text', 'What should it say?')),
      by,
      title,
    })
  const before = (await newestVersion(parts.state, present)).text
  const find = needed(input.find, 'find', 'What should be replaced?')
  const text = replaceOnce(
    before,
    plainText(find),
    plainText(input.replace ?? needed(input.text, 'replace', 'By what?')),
  )
  return saveVersion(parts, present, { text, by, title })
}

async function create(
  ctx: Given<'analyst' | 'context'>,
  { slug, title, text, by }: Pick<Input, 'slug' | 'text'> & { title: string | undefined; by: StoryVersion['by'] },
): Promise<Saved> {
  const parts = await storyParts(ctx)
  const chat = ctx.turn === undefined ? undefined : await parts.state.chats.find(ctx.turn.chat, ctx.user)
  const written = plainText(needed(text, 'text', 'What should it say?'))
  const named = title ?? headingOf(written) ?? slug
  const given = {
    user: ctx.user,
    project: chat?.project ?? (await projectKey(ctx)),
    folder: chat?.folder ?? (await contextHere(ctx))?.root ?? ctx.cwd,
    ...(chat !== undefined && { chat: chat.id }),
    slug,
    title: needed(named, 'title', 'What is it called?'),
    text: written,
    by,
  }
  const saved = await createStory(parts, given).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    throw new AppError('conflict', `A story named ${storySlug(slug ?? '')} already exists.`, {
      hint: `Change it with action update or replace, give another slug, or look with ${operationNamed('story_show', storySlug(slug ?? ''))}.`,
    })
  })
  return { ...saved, changed: true }
}

const headingOf = (text: string): string | undefined => {
  const found = /^#\s+(\S.{0,199})$/m.exec(text.slice(0, 5_000))?.[1]
  return found === undefined ? undefined : visibleLine(found)
}

function needed<T>(value: T | undefined, field: string, question: string): T {
  if (value !== undefined) return value
  throw new AppError('invalid_input', `There is no ${field}. ${question}`)
}
