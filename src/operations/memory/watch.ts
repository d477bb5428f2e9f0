import { z } from 'zod'
import { plural } from '../../core/text.ts'
import { leaseTaken } from '../../memory/lease.ts'
import { maintain } from '../../memory/maintain.ts'
import { runCycle } from '../../memory/upkeep-cycle.ts'
import type { Context } from '../../ports/context.ts'
import type { UpkeepParts } from '../../ports/upkeep-parts.ts'
import { defineOperation, FOR_PEOPLE } from '../operation.ts'

const count = z.number().int()

export const watch = defineOperation({
  name: 'watch',
  title: 'Look after the memory',
  summary: 'Harvest sessions, index changed files and keep the limits, until Ctrl-C.',
  details:
    'A cycle every upkeep.interval seconds, and changed folders as soon as they are quiet. Sessions over storage.retention or storage.maxSize ' +
    'are evicted, oldest first. Of several such processes one works; another takes over when it ends.',
  effect: 'write',
  words: 'own',
  hiddenFrom: FOR_PEOPLE,
  input: { once: z.boolean().default(false).describe('One cycle, then end: for cron and scripts.') },
  output: {
    cycles: count,
    harvested: count,
    indexed: count,
    evicted: count,
    reclaimed: count.describe('Bytes of disk returned.'),
    warnings: z.array(z.string()),
  },
  examples: [{ title: 'From cron', input: { once: true } }],
  async run(ctx, input) {
    const parts = await ctx.upkeep()
    if (!input.once) return untilStopped(ctx, parts)
    const report = await runCycle(ctx, parts, 0)
    if (report === undefined) throw leaseTaken()
    const { harvested, indexed, evicted, reclaimed, warnings } = report
    return { cycles: 1, harvested, indexed, evicted, reclaimed, warnings: [...warnings] }
  },
  render: (output) =>
    [
      ...output.warnings,
      `${plural(output.cycles, 'cycle')}: ${plural(output.harvested, 'session')} harvested, ${plural(output.indexed, 'document')} indexed, ` +
        `${plural(output.evicted, 'session')} evicted, ${output.reclaimed} bytes returned.`,
    ].join('\n'),
})

// A day of failures must not fill the memory.
const MOST_WARNINGS = 100

async function untilStopped(ctx: Context, parts: UpkeepParts) {
  const warnings: string[] = []
  let lines = 0
  const tell = (line: string): void => ctx.progress(line, ++lines, 0)
  const warn = (line: string): void => {
    tell(line)
    warnings.push(line)
    if (warnings.length > MOST_WARNINGS) warnings.shift()
  }
  // A step is not cut off half way: Ctrl-C is how a watch ends, and its report should be whole.
  const { signal, ...whole } = ctx
  const stopped = new Promise<void>((stop) => signal?.addEventListener('abort', stop))
  return { ...(await maintain(whole, parts, { stopped, tell, warn })), warnings }
}
