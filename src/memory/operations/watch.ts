import { z } from 'zod'
import { keepFresh, refreshDue } from '../../analyst/operations/fresh-stories.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, AT_A_TERMINAL } from '../../operations/operation.ts'
import { HARVESTED } from '../harvest-sessions.ts'
import { leaseTaken } from '../lease.ts'
import { maintain } from '../maintain.ts'
import type { UpkeepParts } from '../ports/upkeep-parts.ts'
import { runCycle } from '../upkeep-cycle.ts'

const count = z.number().int()

const service = z.object({
  manager: z.string().describe('systemd, launchd, or none for a separate process.'),
  installed: z.boolean(),
  running: z.boolean(),
  pid: z.number().optional(),
  place: z.string().describe('The file of the service, or the log of the process.'),
  stopped: z.boolean().describe('It ran until now.'),
  fresh: z.boolean().describe('Some process keeps the memory fresh: this one or a server.'),
  last_harvest: z.string().optional(),
})

const workFields = {
  cycles: count,
  harvested: count,
  indexed: count,
  evicted: count,
  reclaimed: count.describe('Bytes of disk returned.'),
  stories: count.describe('Stories refreshed on schedule.'),
  warnings: z.array(z.string()),
}

export const watch = defineOperation({
  name: 'watch',
  title: 'Look after the memory',
  summary: 'Harvest sessions and index changed files until Ctrl-C.',
  details:
    'A cycle every upkeep.interval seconds, and soon after a change in a watched folder, including client folders. Sessions over storage.retention ' +
    'or storage.maxSize are evicted. Stories with a schedule are refreshed when their time comes. Of several such processes one works; another takes over when it ends. A running MCP server does the same by ' +
    'itself; --daemon has it done always, as a service of systemd or launchd, or as a process of its own where there is neither. --stop ends that ' +
    'and removes what --daemon wrote.',
  effect: 'write',
  withoutRoom: true,
  words: 'own',
  needs: ['analyst', 'context', 'machine', 'memory'],
  hiddenFrom: AT_A_TERMINAL,
  input: {
    once: z.boolean().default(false).describe('Run one cycle and exit (for cron and scripts).'),
    daemon: z.boolean().default(false).describe('Run in the background, now and at every login.'),
    stop: z.boolean().default(false).describe('Stop the background process.'),
    status: z.boolean().default(false).describe('Show whether it is running.'),
  },
  output: {
    ...workFields,
    service: service.optional(),
  },
  examples: [
    { title: 'From cron', input: { once: true } },
    { title: 'Whether it runs in the background', input: { status: true } },
  ],
  async run(ctx, input) {
    const chosen = MODES.filter((mode) => input[mode])
    if (chosen.length > 1) throw new AppError('invalid_input', `Can’t combine ${chosen.map(fieldNamed).join(' and ')}.`)
    const [mode] = chosen
    const parts = await ctx.upkeep()
    if (mode !== undefined && mode !== 'once') return { ...NOTHING_DONE, service: await serve(ctx, parts, mode) }
    if (mode === undefined) return untilStopped(ctx, parts)
    const report = await runCycle(ctx, parts, 0)
    if (report === undefined) throw leaseTaken()
    const { harvested, indexed, evicted, reclaimed, warnings } = report
    const { refreshed, failed } = await refreshDue(ctx).catch((error: unknown) => ({
      refreshed: 0,
      failed: [toAppError(error).line],
    }))
    const told = [...warnings, ...failed]
    return { cycles: 1, harvested, indexed, evicted, reclaimed, stories: refreshed, warnings: told }
  },
  render: (output) => (output.service === undefined ? sayWork(output) : sayService(output.service)),
  // Same convention as `systemctl is-active`.
  exit: ({ service: state }) => (state === undefined || state.running || state.stopped ? 0 : 1),
})

const MODES = ['once', 'daemon', 'stop', 'status'] as const
const NOTHING_DONE = { cycles: 0, harvested: 0, indexed: 0, evicted: 0, reclaimed: 0, stories: 0, warnings: [] }

async function serve(ctx: Given<'machine'>, parts: UpkeepParts, mode: 'daemon' | 'stop' | 'status') {
  const owned = await ctx.userService()
  const stopped = mode === 'stop' && (await owned.stop())
  const { manager, isInstalled, isRunning, pid, place } = mode === 'daemon' ? await owned.start() : await owned.state()
  const release = parts.maintainer.tryTake()
  release?.()
  const lastHarvest = await parts.state.fact(HARVESTED)
  return {
    manager,
    installed: isInstalled,
    running: isRunning,
    ...(pid !== undefined && { pid }),
    place,
    stopped,
    fresh: isRunning || release === undefined,
    ...(lastHarvest !== undefined && { last_harvest: lastHarvest }),
  }
}

function sayService(state: z.output<typeof service>): string {
  const { manager, running, installed, stopped, pid, place, fresh } = state
  const harvested = `Last harvest: ${state.last_harvest ?? 'never'}.`
  if (running)
    return [
      manager === 'none'
        ? `Running as process ${pid} until the machine is shut down; its log is ${place}.`
        : `Running as a service of ${manager}${pid === undefined ? '' : ` (process ${pid})`}, started with every login: ${place}.`,
      harvested,
      '`ken watch --stop` ends it.',
    ].join('\n')
  if (installed)
    return `A service of ${manager} is set up and does not run: ${place}.\n${harvested}\n\`ken watch --daemon\` starts it again.`
  return [
    stopped ? 'Stopped, and nothing of it is left.' : 'It does not run in the background.',
    fresh ? 'A server keeps the memory fresh for now.' : 'Nothing keeps the memory fresh until a server is started.',
    harvested,
    ...(stopped ? [] : ['`ken watch --daemon` starts it.']),
  ].join('\n')
}

const sayWork = (output: z.output<z.ZodObject<typeof workFields>>): string =>
  [
    ...output.warnings,
    `${plural(output.cycles, 'cycle')}: ${plural(output.harvested, 'session')} harvested, ${plural(output.indexed, 'document')} indexed, ` +
      `${plural(output.evicted, 'session')} evicted, ${output.reclaimed} bytes returned${output.stories === 0 ? '' : `, ${plural(output.stories, 'story', 'stories')} refreshed`}.`,
  ].join('\n')

// A day of failures must not fill up memory.
const MOST_WARNINGS = 100

async function untilStopped(ctx: Given<'analyst' | 'context' | 'machine' | 'memory'>, parts: UpkeepParts) {
  const warnings: string[] = []
  let lines = 0
  const tell = (line: string): void => ctx.progress(line, ++lines, 0)
  const warn = (line: string): void => {
    tell(line)
    warnings.push(line)
    if (warnings.length > MOST_WARNINGS) warnings.shift()
  }
  // A step is not interrupted: Ctrl-C is the usual way to end a watch, and its report should be complete.
  const { signal, ...whole } = ctx
  const stopped = new Promise<void>((stop) => signal?.addEventListener('abort', stop))
  const leave = parts.post.take()
  const ended = Promise.withResolvers<void>()
  // Runs in parallel with the memory, so that neither waits for the other; a story's statement is stopped at the
  // engine.
  const stories = keepFresh(ctx, { stopped: Promise.race([stopped, ended.promise]), tell, warn })
  try {
    const maintained = await maintain(whole, parts, { stopped, tell, warn })
    return { ...maintained, stories: await stories, warnings }
  } finally {
    ended.resolve()
    leave?.()
  }
}
