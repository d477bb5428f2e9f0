import { AppError } from '../../kernel/domain/errors.ts'
import type { Given } from '../../operations/context.ts'
import type { Store } from '../ports/store.ts'
import { proveRedaction, type SecretPlan } from '../redact.ts'

/**
 * The steps after the record has been changed: caches and the search index, which a killed run may not have reached.
 */
export async function finishInterrupted(
  ctx: Given<'machine' | 'memory'>,
  store: Store,
  { change, rename }: SecretPlan,
): Promise<void> {
  if ((await store.journal()).at(-1)?.operation !== 'redact') return
  await store.care.rewrite(ctx.origin, { operation: 'redact', facts: {}, change, rename })
  await refreshIndex(ctx)
}

const INDEX_FILE = /[/\\]index\.db(?:-wal|-shm)?$/

/**
 * Searches the record and all of Ken's home for the secrets. The search index contains the record too, so it is updated
 * first.
 */
export async function proveEverywhere(
  ctx: Given<'machine' | 'memory'>,
  store: Store,
  plan: SecretPlan,
): Promise<{ searched: number; left: string[]; elsewhere: string[] }> {
  const { searched, left } = await proveRedaction(store, ctx.redactor, plan.lookFor)
  if (plan.lookFor.length === 0) return { searched, left: [...left], elsewhere: [] }
  const parts = await ctx.upkeep()
  if ((await parts.homeFiles.find(plan.lookFor)).traces.some(({ path }) => INDEX_FILE.test(path)))
    await refreshIndex(ctx)
  const home = await parts.homeFiles.find(plan.lookFor)
  const holding = [...new Set(home.traces.map(({ path }) => path))]
  const own = holding.filter((path) => INDEX_FILE.test(path))
  const inRecord = (path: string) => path.startsWith(store.project.location)
  return {
    searched: searched + home.searched,
    left: [...left, ...own],
    elsewhere: holding.filter((path) => !INDEX_FILE.test(path) && !inRecord(path)),
  }
}

async function refreshIndex(ctx: Given<'machine' | 'memory'>): Promise<void> {
  const { busy } = await (await ctx.memory()).update({ collections: ['record'], embed: false, progress: ctx.progress })
  if (busy)
    throw new AppError('unavailable', 'The record is clean, but another process blocks the search index update.', {
      hint: 'Run `ken redact` again when that process has ended.',
    })
  await (await ctx.upkeep()).space.reclaim()
}
