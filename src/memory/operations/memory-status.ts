import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { workspaceHash } from '../../kernel/domain/workspace.ts'
import { defineOperation } from '../../operations/operation.ts'
import { memoryCare, whatIsOff } from '../memory-advice.ts'
import { withinOf } from './memory-scope.ts'

const counts = z.record(z.string(), z.number())

export const memoryStatus = defineOperation({
  name: 'memory_status',
  title: 'Contents of the memory',
  summary: 'Show the contents of the memory, its limits, and what is off or skipped. For troubleshooting.',
  forPeople: 'Show the index: contents, limits, what is off or needs repair.',
  searchHint: 'index statistics',
  effect: 'read',
  words: 'own',
  needs: ['machine', 'memory'],
  input: {},
  output: {
    documents: z.number(),
    chunks: z.number(),
    by_collection: counts,
    by_workspace: counts,
    by_origin: counts,
    embedder: z.string().optional(),
    vectors: counts,
    vectors_pending: z.number(),
    embedder_fault: z.string().optional(),
    index_bytes: z.number(),
    session_bytes: z.number(),
    limits: z.record(z.string(), z.string()),
    left_out: counts.describe('Sessions that a limit keeps out.'),
    off: z.array(z.string()),
    last_harvest: z.string().optional(),
    advice: z.array(z.string()).describe('Problems found.'),
    collections: z.array(z.object({ name: z.string(), path: z.string(), pattern: z.string() })),
  },
  examples: [{ title: 'Everything', input: {} }],
  async run(ctx) {
    const status = await (await ctx.memory()).status()
    const within = await withinOf(ctx, undefined)
    const { leftOut, lastHarvest, advice } = await memoryCare(ctx, status)
    return {
      documents: status.documents,
      chunks: status.chunks,
      by_collection: { ...status.byCollection },
      by_workspace: { ...status.byWorkspace },
      by_origin: { ...status.byOrigin },
      ...(status.embedder !== undefined && { embedder: status.embedder }),
      ...(status.embedderFault !== undefined && { embedder_fault: status.embedderFault }),
      vectors: { ...status.vectors },
      vectors_pending: status.pending,
      index_bytes: status.bytes,
      session_bytes: status.sessionBytes,
      limits: Object.fromEntries(LIMITS.map((name) => [name, String(ctx.settings.get(name).value)])),
      left_out: Object.fromEntries(Object.entries(leftOut).filter(([, count]) => count > 0)),
      off: whatIsOff(ctx),
      ...(lastHarvest !== undefined && { last_harvest: lastHarvest }),
      advice: [...advice],
      collections: ctx.collections
        .list()
        .collections.filter(
          ({ workspace }) => workspace === undefined || within?.workspaces.includes(workspaceHash(workspace)),
        )
        .map(({ name, path, pattern }) => ({ name, path, pattern })),
    }
  },
  render(output, _input, view = PLAIN) {
    const counted = { collection: output.by_collection, workspace: output.by_workspace, origin: output.by_origin }
    const rows = Object.entries(counted).flatMap(([title, of]) =>
      Object.entries(of).map(([name, count]) => [title, name, String(count)]),
    )
    const columns = [{ tone: 'dim' }, { shrinks: true }, { align: 'right' }] as const
    return [
      `${plural(output.documents, 'document')} in ${plural(output.chunks, 'chunk')}; index ${megabytes(output.index_bytes)}, sessions ${megabytes(output.session_bytes)}.`,
      sayVectors(output),
      ...Object.entries(output.vectors)
        .filter(([id]) => id !== output.embedder)
        .map(([id, count]) => `  not in use: ${count} vectors of ${id}`),
      ...(view.reader === 'person'
        ? table(rows, columns, view, '  ')
        : rows.map(([title, name, count]) => `  ${title} ${name}: ${count}`)),
      `Limits: ${Object.entries(output.limits)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}.`,
      ...Object.entries(output.left_out).map(
        ([why, count]) => `  left out: ${plural(count, 'session')} by ${LIMIT_BEHIND[why] ?? why}`,
      ),
      `Last harvest: ${output.last_harvest ?? 'never'}.`,
      ...output.off.map((line) => `  off: ${line}`),
      ...(output.advice.length === 0 ? ['Nothing is amiss.'] : output.advice.map((line) => view.mark('warning', line))),
    ].join('\n')
  },
})

const LIMITS = ['storage.maxSize', 'storage.retention', 'storage.minFreeDisk']
const LIMIT_BEHIND: Readonly<Record<string, string>> = { retention: 'storage.retention', size: 'storage.maxSize' }

function sayVectors({
  embedder,
  embedder_fault: fault,
  vectors,
  vectors_pending: pending,
}: {
  embedder?: string | undefined
  embedder_fault?: string | undefined
  vectors: Readonly<Record<string, number>>
  vectors_pending: number
}): string {
  if (embedder !== undefined) return `Vectors of ${embedder}: ${vectors[embedder] ?? 0}, ${pending} to make.`
  return fault === undefined ? 'Search by words alone: no embedder is on.' : `Search by words alone: ${fault}.`
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
