import { z } from 'zod'
import { cell } from '../../context/operations/kept-result.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { noneYet } from '../../kernel/domain/phrases.ts'
import { unifiedDiff } from '../../kernel/domain/text/unified-diff.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { markDiff } from '../../kernel/domain/view/mark-diff.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { layOutStory } from '../domain/story/lay-out-story.ts'
import { readStory, waitingIn } from '../domain/story/read-story.ts'
import { nextRun, sayCron } from '../domain/story/schedule.ts'
import { storyText } from '../domain/story/story-text.ts'
import { readStoryResult, type Story } from '../domain/story/story.ts'
import { openStory } from '../draw-story.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import { newestVersion } from '../save-story.ts'
import { ownerNames, ownerShape } from './owner-names.ts'
import { projectKey } from './project-key.ts'
import { faultLines, noticesField, readableStory, waitingField } from './story-parts.ts'

export const slugField = z.string().min(1).max(100).describe('The story’s slug, as listed.')

const refresh = z.object({ at: z.string(), ok: z.boolean(), problem: z.string().optional() })

const storyFields = {
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  updated_at: z.string(),
  archived_at: z.string().optional(),
  schedule: z
    .object({ says: z.string(), cron: z.string(), timezone: z.string(), next: z.string().optional() })
    .optional(),
  last_refresh: refresh.optional(),
  shared: z.enum(['project', 'named']).optional().describe('Other readers, on a team server.'),
  owner: ownerShape.optional().describe('The owner, if another person shares it with you; refer to it by id.'),
}

const listed = z.object(storyFields)

export const storiesList = defineOperation({
  name: 'stories_list',
  title: 'List stories',
  summary: 'List stories with their dates and data freshness.',
  effect: 'read',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    archived: z.boolean().default(false).describe('Archived stories instead.'),
    whose: z.enum(['all', 'own', 'shared']).default('all').describe('On a team server: yours, or shared with you.'),
  },
  output: { stories: z.array(listed) },
  examples: [
    { title: 'All', input: {} },
    { title: 'Archived stories', input: { archived: true } },
  ],
  async run(ctx, { archived, whose }) {
    const { stories, shares } = await ctx.analystState()
    const project = await projectKey(ctx)
    const [own, shared] = await Promise.all([
      whose === 'shared' ? [] : stories.list({ user: ctx.user, project, archived }),
      whose === 'own' || archived ? [] : (shares?.stories() ?? []),
    ])
    return { stories: await shownStories(ctx, [...own, ...shared]) }
  },
  render({ stories }, { archived, whose }, view = PLAIN) {
    if (stories.length === 0)
      return archived
        ? 'No story is archived.'
        : whose === 'shared'
          ? 'Nobody shares a story with you here.'
          : `${noneYet('stories')} Ask the analyst to write one.`
    const rows = stories.map(({ id, slug, title, updated_at, schedule, last_refresh, owner }) => [
      owner === undefined ? slug : id,
      title,
      dated(updated_at, view),
      schedule?.says ?? '',
      last_refresh?.ok === false ? `failed: ${last_refresh.problem ?? ''}` : '',
      owner === undefined ? '' : `shared by ${owner.name}`,
    ])
    return table(
      rows,
      [{ tone: 'title' }, { shrinks: true }, { tone: 'dim' }, {}, { shrinks: true, tone: 'bad' }, { tone: 'dim' }],
      view,
    ).join('\n')
  },
})

async function shownStories(ctx: Given, stories: readonly Story[]): Promise<z.output<typeof listed>[]> {
  const named = await ownerNames(
    ctx,
    stories.map(({ user }) => user).filter((id) => id !== ctx.user),
  )
  return stories.map((story) => ({
    ...shownStory(story, ctx.clock.now()),
    ...(story.user !== ctx.user && { owner: named(story.user) }),
  }))
}

export function shownStory(story: Story, now: Date): z.output<typeof listed> {
  const { id, slug, title, updatedAt, archivedAt, schedule, lastRefresh } = story
  const next = schedule === undefined ? undefined : nextRun(schedule, now)
  return {
    id,
    slug,
    title,
    updated_at: updatedAt,
    ...(story.visibility !== undefined && { shared: story.visibility }),
    ...(archivedAt !== undefined && { archived_at: archivedAt }),
    ...(schedule !== undefined && {
      schedule: {
        says: sayCron(schedule.cron),
        cron: schedule.cron,
        timezone: schedule.timezone,
        ...(next !== undefined && { next: next.toISOString() }),
      },
    }),
    ...(lastRefresh !== undefined && { last_refresh: { ...lastRefresh } }),
  }
}

const boundNumber = z.object({
  label: z.string(),
  place: z.string(),
  column: z.string().optional(),
  row: z.number().optional(),
  by: z.enum(['sum', 'min', 'max', 'mean', 'count']).optional(),
  value: z.number(),
  names: z.array(z.tuple([z.string(), z.string()])).optional(),
  end: z.enum(['most', 'least']).optional(),
  was: z.number().optional().describe('The value before the last refresh.'),
})

// Number of points that a chart draws.
const SHOWN_ROWS = 5_000

const versionField = z.number().int().min(1).optional().describe('Version; default: the newest.')

export const storyShow = defineOperation({
  name: 'story_show',
  title: 'Show a story',
  summary: 'Show a story with the data of its last good refresh.',
  effect: 'read',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: { slug: slugField, version: versionField },
  output: {
    ...storyFields,
    version: z.number(),
    newest: z.number().describe('The number of the newest version.'),
    saved_at: z.string().describe('When this version was.'),
    by: z.string(),
    chat: z.string().optional().describe('The chat it came from.'),
    text: z.string(),
    data: z.array(
      z.object({
        query: z.string(),
        database: z.string(),
        sql: z.string(),
        at: z.string(),
        columns: z.array(z.object({ name: z.string(), type: z.string() })),
        rows: z.array(z.array(cell)),
        cut: z.boolean(),
        made: z.array(z.object({ name: z.string(), value: z.string(), says: z.string() })).optional(),
        was: z.record(z.string(), cell).optional().describe('The single row before the last refresh, by column.'),
        bound: z.array(boundNumber).optional().describe('Numbers of the text that follow these rows.'),
      }),
    ),
    waiting: waitingField,
    lines: z.array(z.string()).describe('Values and age of its data, and whether a refresh failed.'),
    faults: z.array(z.string()),
    notices: noticesField,
  },
  examples: [{ title: 'As it is now', input: { slug: 'sales' } }],
  async run(ctx, input) {
    const state = await ctx.analystState()
    const story = await readableStory(ctx, input.slug)
    const version = await versionOf(state, story, input.version)
    const opened = await openStory(state, story, version)
    const data = await state.stories.data(story.id)
    const [shown] = await shownStories(ctx, [story])
    return {
      ...shown!,
      version: version.version,
      newest: (await newestVersion(state, story)).version,
      saved_at: version.at,
      by: version.by,
      // Other users may not be allowed to read the chat.
      ...(story.chat !== undefined && story.user === ctx.user && { chat: story.chat }),
      text: version.text,
      data: data.flatMap(({ query, database, sql, at, result }) => {
        const read = readStoryResult(result)
        if (read === undefined) return []
        const rows = read.rows.slice(0, SHOWN_ROWS).map((row) => [...row])
        return [
          {
            query,
            database,
            sql,
            at,
            columns: [...read.columns],
            rows,
            cut: read.cut || rows.length < read.rows.length,
            ...(read.made !== undefined && { made: read.made.map((one) => ({ ...one })) }),
            ...(read.was !== undefined && { was: { ...read.was } }),
            ...(read.bound !== undefined && {
              bound: read.bound.map(({ names, ...one }) => ({
                ...one,
                ...(names !== undefined && { names: names.map(([column, text]): [string, string] => [column, text]) }),
              })),
            }),
          },
        ]
      }),
      waiting: [...waitingIn(readStory(version.text), data)],
      lines: [...(opened.made === '' ? [] : [opened.made]), ...opened.lines],
      faults: faultLines(opened.faults),
      notices: [...opened.notices],
    }
  },
  isPaged: () => true,
  render({ title, text, data, lines, faults, notices, version }, _input, view: View = PLAIN) {
    const { blocks } = layOutStory(text, new Map(data.map((one) => [one.query, one])))
    const [first] = blocks
    const head = first?.kind === 'heading' && first.level === 1 ? [] : [view.mark('title', `# ${title}`)]
    const foot = [`Version ${version}.`, ...lines].map((line) => view.mark(/failed/.test(line) ? 'bad' : 'dim', line))
    const wrong = faults.map((line) => view.mark('warning', line))
    const doubtful = notices.map((line) => view.mark('warning', line))
    return [...head, ...doubtful, storyText(blocks, view), [...wrong, ...foot].join('\n')].join('\n\n')
  },
})

/** Returns a version of a story. Throws if it does not exist, listing the existing versions. */
export async function versionOf(state: AnalystState, story: Story, number: number | undefined) {
  if (number === undefined) return newestVersion(state, story)
  const versions = await state.stories.versions(story.id)
  const found = versions.find(({ version }) => version === number)
  if (found !== undefined) return found
  throw new AppError('not_found', `The story ${story.slug} has no version ${number}.`, {
    hint: `It has ${versions[0]?.version ?? 1} to ${versions.at(-1)?.version ?? 1}: ${operationNamed('story_versions', story.slug)}.`,
  })
}

export const storyVersions = defineOperation({
  name: 'story_versions',
  title: 'List versions of a story',
  summary: 'List a story’s versions, newest first.',
  effect: 'read',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: { slug: slugField },
  output: {
    slug: z.string(),
    versions: z.array(z.object({ version: z.number(), at: z.string(), by: z.string(), characters: z.number() })),
  },
  examples: [{ title: 'All', input: { slug: 'sales' } }],
  async run(ctx, input) {
    const { stories } = await ctx.analystState()
    const story = await readableStory(ctx, input.slug)
    const versions = (await stories.versions(story.id)).toReversed()
    return {
      slug: story.slug,
      versions: versions.map(({ version, at, by, text }) => ({ version, at, by, characters: text.length })),
    }
  },
  render: ({ versions }, _input, view = PLAIN) =>
    table(
      versions.map(({ version, at, by, characters }) => [
        String(version),
        dated(at, view),
        `by ${by === 'person' ? 'a person' : 'the analyst'}`,
        `${characters} characters`,
      ]),
      [{ align: 'right', tone: 'title' }, {}, {}, { align: 'right', tone: 'dim' }],
      view,
    ).join('\n'),
})

export const storyDiff = defineOperation({
  name: 'story_diff',
  title: 'Compare versions of a story',
  summary: 'Compare two versions of a story.',
  effect: 'read',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug', 'from', 'to'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    slug: slugField,
    from: z.number().int().min(1).optional().describe('Older version; default: the one before --to.'),
    to: z.number().int().min(1).optional().describe('Newer version; default: the newest.'),
  },
  output: { slug: z.string(), from: z.number(), to: z.number(), diff: z.string() },
  examples: [{ title: 'The last change', input: { slug: 'sales' } }],
  async run(ctx, input) {
    const state = await ctx.analystState()
    const story = await readableStory(ctx, input.slug)
    const to = await versionOf(state, story, input.to)
    const from = await versionOf(state, story, input.from ?? Math.max(1, to.version - 1))
    const names = { before: `${story.slug} version ${from.version}`, after: `${story.slug} version ${to.version}` }
    return { slug: story.slug, from: from.version, to: to.version, diff: unifiedDiff(from.text, to.text, names) }
  },
  isPaged: () => true,
  render: ({ diff, from, to }, _input, view = PLAIN) =>
    diff === ''
      ? from === to
        ? `There is only version ${to}.`
        : `Versions ${from} and ${to} are the same.`
      : markDiff(diff, view),
})
