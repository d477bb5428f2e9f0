import { z } from 'zod'
import { chooseDatabase, plainCell, runStatement } from '../../context/operations/run-statement.ts'
import { unknownName } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import type { MovedNumber, StoryFault } from '../domain/story/story-blocks.ts'
import type { Story } from '../domain/story/story.ts'
import type { RefreshParts } from '../refresh-story.ts'
import { projectKey } from './project-key.ts'

/** Dependencies of a story refresh: every statement is checked by the context project's current gate. */
export const storyParts = async (ctx: Given<'analyst' | 'context'>): Promise<RefreshParts> => ({
  state: await ctx.analystState(),
  clock: ctx.clock,
  lease: ctx.storyLease,
  progress: (message, done, total) => ctx.progress(message, done, total),
  async runQuery({ folder }, { database: named, sql, values }) {
    // On a team server a project has one context, which may be newer than the story.
    const project = await (ctx.team === undefined ? ctx.contextProject(folder) : ctx.contextProject())
    // A project in a parent folder is not the story's project.
    if (ctx.team === undefined && project.root !== folder)
      throw new AppError('not_found', `The context project in ${folder} no longer exists.`, {
        hint: 'Restore it, or write the story again.',
      })
    const database = chooseDatabase(project, named)
    const ran = await runStatement(ctx, { project, database, sql, ...(values !== undefined && { values }) })
    if ('refused' in ran) return { refused: `${ran.refused.reason}. ${ran.refused.hint}` }
    const { columns, rows, truncated } = ran.result
    return { database, columns, rows: rows.map((row) => row.map(plainCell)), cut: truncated }
  },
})

/** The named story, by its slug or its id. */
export async function findStory(ctx: Given<'analyst'>, named: string): Promise<Story> {
  const { stories } = await ctx.analystState()
  const project = await projectKey(ctx)
  const wanted = named.trim()
  const found = (await stories.find({ slug: wanted, project })) ?? (await stories.find({ id: wanted }))
  if (found !== undefined && found.user === ctx.user && found.project === project) return found
  const known = await Promise.all([false, true].map((archived) => stories.list({ user: ctx.user, project, archived })))
  throw unknownName(
    'story',
    wanted,
    known.flat().map(({ slug }) => slug),
  )
}

/** Finds a story for reading: includes stories shared with the user. */
export async function readableStory(ctx: Given<'analyst'>, named: string): Promise<Story> {
  try {
    return await findStory(ctx, named)
  } catch (thrown) {
    const { shares } = await ctx.analystState()
    const isMissing = thrown instanceof AppError && thrown.code === 'not_found'
    const shared = isMissing ? await shares?.story(named.trim()) : undefined
    if (shared === undefined) throw thrown
    return shared
  }
}

export const noticesField = z.array(z.string()).describe('Numbers of the text that cannot be relied on.')

export const faultLines = (faults: readonly StoryFault[]): string[] =>
  faults.map(({ line, message }) => `line ${line}: ${message}${/[.!?]$/.test(message) ? '' : '.'}`)

const MOST_MOVED = 20

/** Numbers that the last refresh changed, one line each. */
export const movedLines = (moved: readonly MovedNumber[]): string[] => [
  ...moved.slice(0, MOST_MOVED).map(({ place, was, now }) => `${place}: ${visibleLine(`${was} → ${now}`)}`),
  ...(moved.length > MOST_MOVED ? [`And ${moved.length - MOST_MOVED} more numbers changed.`] : []),
]

/** Says how the rows of new statements come. */
export const waitingLines = (slug: string, waiting: readonly string[]): string[] =>
  waiting.length === 0
    ? []
    : [`No rows yet: ${waiting.join(', ')}. ${operationNamed('story_refresh', slug)} runs them.`]

export const waitingField = z.array(z.string()).describe('Queries in the text that a refresh has still to run.')
