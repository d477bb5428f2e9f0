import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { readSchedule } from '../domain/story/schedule.ts'
import { openStory } from '../draw-story.ts'
import { refreshStory, sayRefresh } from '../refresh-story.ts'
import { newestVersion } from '../save-story.ts'
import { shownStory, slugField } from './stories.ts'
import { findStory, movedLines, storyParts } from './story-parts.ts'

export const storyRefresh = defineOperation({
  name: 'story_refresh',
  title: 'Refresh a story',
  summary: 'Run a story’s queries again; keeps the last good data if one fails.',
  details:
    'Every statement goes through the same gate as when it was first asked: only tables of the context, only what reads, and only what you trust (`ken trust`). The data is replaced when all of them went well, or not at all. Values of parameters are bound by the driver, and stay until they are set again.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context'],
  onServer: {},
  positional: ['slug'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    slug: slugField,
    set: z
      .array(z.string().min(1).max(300))
      .max(20)
      .default([])
      .describe('Values of its parameters from now on, as name=value.'),
  },
  output: { slug: z.string(), ok: z.boolean(), at: z.string(), problem: z.string().optional(), said: z.string() },
  examples: [
    { title: 'Now', input: { slug: 'sales' } },
    { title: 'For another month', input: { slug: 'monthly', set: ['period=2026-05'] } },
  ],
  async run(ctx, input) {
    const parts = await storyParts(ctx)
    const story = await findStory(ctx, input.slug)
    const done = await refreshStory(parts, story, { chosen: chosenIn(input.set) })
    if (done === undefined)
      throw new AppError('unavailable', `${story.slug} is being refreshed by another process.`, {
        hint: 'Try again shortly.',
      })
    const { notices, made, moved } = await openStory(parts.state, story, await newestVersion(parts.state, story))
    const data = await parts.state.stories.data(story.id)
    const said = [sayRefresh(done, data), ...(made === '' ? [] : [made]), ...movedLines(moved), ...notices].join('\n')
    return { slug: story.slug, ...done, said }
  },
  render: ({ said }) => said,
  exit: ({ ok }) => (ok ? 0 : 1),
})

function chosenIn(set: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    set.map((one) => {
      const at = one.indexOf('=')
      if (at > 0) return [one.slice(0, at).trim(), one.slice(at + 1)]
      throw new AppError('invalid_input', `"${ellipsis(visibleLine(one), 60)}" is not name=value.`, {
        hint: 'E.g. period=2026-05.',
      })
    }),
  )
}

const OFF = new Set(['off', 'none', 'never', 'manual', 'no'])

export const storySchedule = defineOperation({
  name: 'story_schedule',
  title: 'Refresh a story on a schedule',
  summary: 'Schedule refreshes (plain English or cron; "off" to stop).',
  details:
    'Plain words: "every weekday at 8", "hourly", "every monday 9am", "first of the month", "every 15 minutes", "last friday of the month at 17:30". ' +
    'Not more often than every five minutes. `ken watch` and a running `ken serve --http` refresh; a time that was missed is made up for once. Without --when it says how it is.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  positional: ['slug', 'when'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    slug: slugField,
    when: z.string().min(1).max(200).optional().describe('Words, cron, or off.'),
    timezone: z.string().min(1).max(100).optional().describe('Time zone, e.g. Europe/Berlin; default: this machine’s.'),
  },
  output: {
    slug: z.string(),
    schedule: z
      .object({ says: z.string(), cron: z.string(), timezone: z.string(), next: z.string().optional() })
      .optional(),
    changed: z.boolean(),
  },
  examples: [
    { title: 'On weekdays', input: { slug: 'sales', when: 'every weekday at 8', timezone: 'Europe/Berlin' } },
    { title: 'No more', input: { slug: 'sales', when: 'off' } },
  ],
  async run(ctx, { slug: named, when, timezone }) {
    const { stories } = await ctx.analystState()
    const story = await findStory(ctx, named)
    const now = ctx.clock.now()
    const { slug } = story
    if (when === undefined) {
      const { schedule } = shownStory(story, now)
      return { slug, ...(schedule !== undefined && { schedule }), changed: false }
    }
    if (OFF.has(when.trim().toLowerCase())) {
      await stories.change(story.id, { schedule: null })
      return { slug, changed: story.schedule !== undefined }
    }
    if (story.archivedAt !== undefined)
      throw new AppError('invalid_input', `${slug} is archived; archived stories are not refreshed.`, {
        hint: `Unarchive it first: ${operationNamed('story_unarchive', slug)}.`,
      })
    const here = timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    const { says, next, ...schedule } = readSchedule(when, { timezone: here, now })
    await stories.change(story.id, { schedule: { ...schedule, since: now.toISOString() } })
    return { slug, schedule: { says, next, ...schedule }, changed: true }
  },
  render({ slug, schedule, changed }) {
    if (schedule === undefined)
      return changed ? `${slug} is refreshed by hand from now on.` : `${slug} is refreshed by hand.`
    const { says, timezone, next } = schedule
    const local = next === undefined ? 'never' : inZone(next, timezone)
    return `${slug} is refreshed ${says} (${timezone}), next on ${local}. \`ken watch --daemon\` or a running \`ken serve --http\` does it.`
  },
})

const inZone = (time: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(new Date(time))
