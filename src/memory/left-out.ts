import { AppError } from '../kernel/domain/errors.ts'
import { plural } from '../kernel/domain/text.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { LocalMemoryNeeds } from './ports/memory-needs.ts'

/** Sessions that a client has or had but that are not in the memory, by the limit that excludes them. */
export interface LeftOut {
  readonly retention: number
  readonly size: number
}

export async function leftOut(ctx: Call & LocalMemoryNeeds): Promise<LeftOut> {
  const stones = await (await ctx.upkeep()).state.tombstones()
  const count = (why: string): number => stones.filter((stone) => stone.why === why).length
  return { retention: count('expired'), size: count('evicted') }
}

/** Notes for an empty answer: the reader must not assume that nothing was ever recorded. */
export async function sayLeftOut(ctx: Call & LocalMemoryNeeds): Promise<string[]> {
  try {
    const { retention, size } = await leftOut(ctx)
    return [
      ...(retention > 0 ? [leftOutBy(ctx, retention, 'storage.retention')] : []),
      ...(size > 0 ? [leftOutBy(ctx, size, 'storage.maxSize')] : []),
    ]
  } catch (error) {
    // A read-only home or a damaged state is reported when something has to be written.
    if (error instanceof AppError) return []
    throw error
  }
}

const leftOutBy = (ctx: Call, count: number, setting: 'storage.retention' | 'storage.maxSize'): string =>
  `${plural(count, 'session')} ${count === 1 ? 'was' : 'were'} left out by ${setting} (${String(ctx.settings.get(setting).value)}); a larger value brings them back.`
