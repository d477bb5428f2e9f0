import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import type { UpdateReport } from '../ports/memory.ts'

export const reportFields = {
  busy: z.boolean().describe('Another process is updating; nothing was done here.'),
  added: z.number(),
  changed: z.number(),
  removed: z.number(),
  unchanged: z.number(),
  embedded: z.number(),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
}

export const toReport = (done: UpdateReport) => ({ ...done, skipped: done.skipped.map((one) => ({ ...one })) })

export const memoryUpdate = defineOperation({
  name: 'memory_update',
  title: 'Update the index',
  summary: 'Refresh the memory index. Runs by itself; only when a search misses what was just written.',
  forPeople: 'Index new and changed files.',
  searchHint: 'reindex, find new page',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['memory', 'machine'],
  unlisted: ['embed', 'collection'],
  input: {
    embed: z.boolean().default(true).describe('Also compute missing vectors.'),
    collection: z.array(z.string()).optional().describe('Only these.'),
  },
  output: reportFields,
  examples: [{ title: 'Everything', input: {} }],
  run: async (ctx, input) =>
    toReport(
      await (
        await ctx.memory()
      ).update({
        embed: input.embed,
        progress: ctx.progress,
        signal: ctx.signal,
        ...(input.collection && { collections: input.collection }),
      }),
    ),
  render: (output) => renderReport(output),
})

export const reindex = defineOperation({
  name: 'reindex',
  title: 'Rebuild the index',
  summary: 'Rebuild the search index from the files.',
  details:
    'The index is derived from notes, sessions, records and documents, which do not change. Searches work during the update. If it is interrupted, the next update resumes it.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['memory', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: reportFields,
  examples: [{ title: 'All of it', input: {} }],
  run: async (ctx) =>
    toReport(
      await (await ctx.memory()).update({ embed: true, anew: true, progress: ctx.progress, signal: ctx.signal }),
    ),
  render: (output) => renderReport(output),
})

export const embed = defineOperation({
  name: 'embed',
  title: 'Make missing vectors',
  summary: 'Compute missing vectors for search by meaning.',
  details:
    'Vectors belong to the embedder that search.embedder names; those of other embedders are kept, so switching back is free. ' +
    'What was made is kept when it is stopped.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'machine', 'memory'],
  hiddenFrom: FOR_PEOPLE,
  input: {
    again: z
      .boolean()
      .default(false)
      .describe('Recompute all vectors, e.g. after the model was replaced under the same name.'),
    drop_others: z.boolean().default(false).describe('Then delete the vectors of all other embedders.'),
  },
  output: { ...reportFields, dropped: z.number() },
  examples: [{ title: 'All', input: {} }],
  async run(ctx, input) {
    const embedder = await ctx.models.embedder()
    if (input.again && embedder !== undefined)
      await (await ctx.upkeep()).space.removeVectors((id) => id === embedder.id)
    const report = toReport(
      await (await ctx.memory()).update({ embed: true, collections: [], progress: ctx.progress, signal: ctx.signal }),
    )
    const isDropping = input.drop_others && embedder !== undefined && !report.busy
    return {
      ...report,
      dropped: isDropping ? await (await ctx.upkeep()).space.removeVectors((id) => id !== embedder.id) : 0,
    }
  },
  render: (output) =>
    output.busy
      ? renderReport(output)
      : `${plural(output.embedded, 'vector')} made${output.dropped > 0 ? `, ${output.dropped} of other embedders dropped` : ''}.`,
})

export function renderReport(output: z.output<z.ZodObject<typeof reportFields>>): string {
  if (output.busy) return 'Another process is updating the index; search goes on meanwhile.'
  const counts = `${output.added} added, ${output.changed} changed, ${output.removed} removed, ${output.unchanged} unchanged${output.embedded > 0 ? `; ${plural(output.embedded, 'vector')} made` : ''}.`
  return [counts, ...renderSkipped(output.skipped)].join('\n')
}

const SHOWN = 10

export function renderSkipped(skipped: UpdateReport['skipped']): string[] {
  const shown = skipped.slice(0, SHOWN).map(({ path, reason }) => `  skipped ${path}: ${reason}`)
  return skipped.length > SHOWN ? [...shown, `  and ${skipped.length - SHOWN} more`] : shown
}
