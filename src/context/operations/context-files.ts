import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import type { ManifestEntry } from '../domain/context-project/manifest.ts'

const MOST = 100_000

const file = z.object({
  path: z.string(),
  bytes: z.number(),
  source: z.string().optional().describe('Its source; missing for handwritten files.'),
  item: z.string().optional(),
  table: z.string().optional().describe('schema.table, for a file about one.'),
  database: z.string().optional(),
  fetched_at: z.string().optional(),
  stale: z.string().optional().describe('Why it is stale.'),
  model: z.string().optional().describe('The model that wrote it.'),
})

export const contextFiles = defineOperation({
  name: 'context_files',
  title: 'List the context with its origin',
  summary: 'List readable context files with their source and date.',
  effect: 'read',
  words: 'context',
  needs: ['context'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {},
  output: {
    root: z.string(),
    name: z.string(),
    files: z.array(file),
    more: z.number().describe('Files that were left out.'),
  },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const project = await ctx.contextProject()
    const [manifest, files] = await Promise.all([project.tree.load(), project.files.list('')])
    const known = new Map(
      [...manifest.values()].flatMap((entry) => entry.files.map((one) => [one.path, { entry, one }])),
    )
    return {
      root: project.root,
      name: project.config.name,
      files: await Promise.all(
        files.slice(0, MOST).map(async ({ path, bytes }) => {
          const from = known.get(path)
          return { path, bytes, ...(from !== undefined && (await provenance(from, project.redact))) }
        }),
      ),
      more: Math.max(0, files.length - MOST),
    }
  },
  render(output, _input, view = PLAIN) {
    const rows = output.files.map(({ path, source, fetched_at: at, stale }) => [
      path,
      source ?? 'written here',
      at?.slice(0, 10) ?? '',
      stale === undefined ? '' : 'stale',
    ])
    return [
      ...table(rows, [{ shrinks: true }, { tone: 'dim' }, { tone: 'dim' }, { tone: 'warning' }], view),
      ...(output.more > 0 ? [`and ${plural(output.more, 'more file')}`] : []),
    ].join('\n')
  },
})

async function provenance(
  { entry, one }: { entry: ManifestEntry; one: ManifestEntry['files'][number] },
  redact: (text: string) => Promise<{ readonly text: string }>,
): Promise<Omit<z.output<typeof file>, 'path' | 'bytes'>> {
  return {
    source: entry.source,
    item: entry.title,
    ...(entry.table !== undefined && {
      table: `${entry.table.schema}.${entry.table.name}`,
      database: entry.table.connection,
    }),
    fetched_at: one.fetched_at,
    ...(entry.stale !== undefined && { stale: (await redact(entry.stale.reason)).text }),
    ...(one.model !== undefined && { model: one.model.id }),
  }
}
