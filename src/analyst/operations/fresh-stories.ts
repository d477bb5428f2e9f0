import type { Given } from '../../operations/context.ts'
import { keepStoriesFresh, refreshDueStories, type DueReport, type KeepFreshOptions } from '../due-stories.ts'
import { storyParts } from './story-parts.ts'

/** Refreshes due stories, behind the gate and only if the user trusts the context project. */
export const refreshDue = async (ctx: Given<'analyst' | 'context'>, isStopped?: () => boolean): Promise<DueReport> =>
  refreshDueStories(await storyParts(ctx), ctx.user, isStopped)

/** Refreshes due stories until stopped; a running statement is then also stopped. Returns how many were refreshed. */
export const keepFresh = (
  ctx: Given<'analyst' | 'context'>,
  options: KeepFreshOptions,
  every?: number,
): Promise<number> => keepStoriesFresh((isStopped) => refreshDue(ctx, isStopped), options, every)
