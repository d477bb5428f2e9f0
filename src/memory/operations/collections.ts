import { z } from 'zod'
import { noneYet } from '../../kernel/domain/phrases.ts'
import { plural } from '../../kernel/domain/text.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { changesOfInput, isGranted } from '../../operations/page-power.ts'
import { renderSkipped, reportFields, toReport } from './memory-update.ts'

const name = z.string().min(1).max(64)
const row = z.object({
  name: z.string(),
  path: z.string(),
  pattern: z.string(),
  origin: z.string(),
  workspace: z.string().optional().describe('Its folder; missing if it is global.'),
  documents: z.number(),
  missing: z.boolean().optional().describe('The folder is missing; its documents stay as they were indexed.'),
})

export const collectionAdd = defineOperation({
  hiddenFrom: FOR_PEOPLE,
  name: 'collection_add',
  title: 'Add a collection',
  summary: 'Add a folder of documents to the index.',
  effect: 'write',
  words: 'own',
  needs: ['memory', 'machine'],
  fromPage: async (ctx, { path, ...input }) =>
    (await isGranted(ctx, ctx.pathNamed(path)))
      ? []
      : changesOfInput({ title: 'Add a collection' }, { ...input, path: ctx.pathNamed(path) }),
  positional: ['name', 'path'],
  input: {
    name,
    path: z.string().min(1).describe('The folder.'),
    pattern: z.string().min(1).default('**/*.md').describe('Files to include, as a glob.'),
    origin: z.enum(['document', 'context']).default('document').describe('context: a folder that `ken sync` writes.'),
    workspace: z.string().optional().describe('Workspace folder it belongs to; default: all.'),
  },
  output: {
    name: z.string(),
    path: z.string(),
    pattern: z.string(),
    added: reportFields.added,
    busy: reportFields.busy,
    skipped: reportFields.skipped,
  },
  examples: [
    { title: 'A folder of Markdown files', input: { name: 'handbook', path: 'docs' } },
    { title: 'Only some of them', input: { name: 'adrs', path: 'docs', pattern: 'adr/*.md' } },
  ],
  async run(ctx, input) {
    const { path } = ctx.collections.add({ ...input, workspace: input.workspace }, ctx.cwd)
    const { added, busy, skipped } = toReport(
      await (
        await ctx.memory()
      ).update({ embed: true, collections: [input.name], progress: ctx.progress, signal: ctx.signal }),
    )
    return { name: input.name, path, pattern: input.pattern, added, busy, skipped }
  },
  render(output) {
    const what = output.busy
      ? 'another process is updating and will index it; or run `ken update` in a moment'
      : `${plural(output.added, 'document')} indexed from ${output.path}`
    return [`Collection ${output.name}: ${what}.`, ...renderSkipped(output.skipped)].join('\n')
  },
})

export const collectionRemove = defineOperation({
  hiddenFrom: FOR_PEOPLE,
  name: 'collection_remove',
  title: 'Remove a collection',
  summary: 'Remove a collection from the index; keeps its files.',
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  needs: ['memory', 'machine'],
  positional: ['name'],
  input: { name },
  output: { name: z.string(), removed: z.number() },
  examples: [{ title: 'One', input: { name: 'guides' } }],
  async run(ctx, input) {
    ctx.collections.remove(input.name)
    const { removed } = await (
      await ctx.memory()
    ).update({ embed: false, collections: [input.name], progress: ctx.progress })
    return { name: input.name, removed }
  },
  render: (output) =>
    `Collection ${output.name} is out of the index (${plural(output.removed, 'document')}); its files are untouched.`,
})

export const collectionRename = defineOperation({
  hiddenFrom: FOR_PEOPLE,
  name: 'collection_rename',
  title: 'Rename a collection',
  summary: 'Rename a collection.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['memory', 'machine'],
  positional: ['name', 'new_name'],
  input: { name, new_name: name },
  output: { name: z.string(), documents: z.number() },
  examples: [{ title: 'Another name', input: { name: 'guides', new_name: 'handbook' } }],
  async run(ctx, input) {
    ctx.collections.rename(input.name, input.new_name)
    const { added } = await (
      await ctx.memory()
    ).update({ embed: true, collections: [input.name, input.new_name], progress: ctx.progress })
    return { name: input.new_name, documents: added }
  },
  render: (output) => `The collection is now called ${output.name} (${plural(output.documents, 'document')}).`,
})

export const collectionList = defineOperation({
  hiddenFrom: FOR_PEOPLE,
  name: 'collection_list',
  title: 'List collections',
  summary: 'List indexed folders with their document counts.',
  effect: 'read',
  words: 'own',
  needs: ['memory', 'machine'],
  input: {},
  output: { collections: z.array(row), faults: z.array(z.string()) },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const { collections, faults } = ctx.collections.list()
    const { byCollection, missing } = await (await ctx.memory()).status()
    return {
      collections: collections.map(({ workspace, ...one }) => ({
        ...one,
        ...(workspace !== undefined && { workspace }),
        documents: byCollection[one.name] ?? 0,
        ...(missing.some(({ collection }) => collection === one.name) && { missing: true }),
      })),
      faults: [...faults],
    }
  },
  render(output, _input, view = PLAIN) {
    if (output.collections.length + output.faults.length === 0)
      return `${noneYet('collections')} Add one with \`ken collection add <name> <folder>\`.`
    return [
      ...table(
        output.collections.map((one) => [
          one.name,
          one.missing ? `${one.path} (missing)` : one.path,
          one.pattern,
          plural(one.documents, 'document'),
        ]),
        [{ tone: 'title' }, { shrinks: true }, { tone: 'dim' }, { align: 'right' }],
        view,
      ),
      ...output.faults.map((fault) => view.mark('bad', fault)),
    ].join('\n')
  },
})
