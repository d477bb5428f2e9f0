import { z } from 'zod'
import { compiledTables } from '../../context/operations/list-tables.ts'
import type { ContextProject } from '../../context/ports/context-project.ts'
import { unknownName } from '../../kernel/domain/close-match.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import {
  chooseTable,
  fillTemplate,
  retitled,
  STORY_TEMPLATES,
  type FilledTemplate,
  type StoryTemplate,
  type TemplateTable,
} from '../domain/story/story-templates.ts'
import { createStory, newestVersion, type NewStory } from '../save-story.ts'
import { contextHere, projectKey } from './project-key.ts'
import { faultLines, noticesField, readableStory, storyParts, waitingField, waitingLines } from './story-parts.ts'

const input = {
  title: z.string().min(1).max(200).describe('Its title.'),
  template: z.enum(STORY_TEMPLATES).default('blank').describe('Template to start from.'),
  from: z.string().min(1).max(100).optional().describe('Start from a copy of this story, with its rows.'),
  table: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Table of the template’s statements; default: one with a date and an amount.'),
}

type Input = z.output<z.ZodObject<typeof input>>

export const storyNew = defineOperation({
  name: 'story_new',
  title: 'Start a story',
  summary: 'Start a story: blank, from a template, or from a copy of another.',
  details:
    'weekly: figures of a period by day; question: one question, one answer; comparison: a period beside the one before. The templates are plain story text with statements over a table of the context. `ken stories edit` changes it, `ken stories refresh` runs its statements.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context'],
  onServer: {},
  positional: ['title'],
  hiddenFrom: NOT_FOR_AGENTS,
  input,
  output: {
    slug: z.string(),
    title: z.string(),
    version: z.number(),
    waiting: waitingField,
    open: z.array(z.string()).describe('Names in its statements that you have to replace.'),
    faults: z.array(z.string()),
    notices: noticesField,
  },
  examples: [
    { title: 'A blank page', input: { title: 'What we learned' } },
    { title: 'Figures of every week', input: { title: 'The week in orders', template: 'weekly' } },
    { title: 'A copy', input: { title: 'Sales of another region', from: 'sales' } },
  ],
  async run(ctx, given) {
    const parts = await storyParts(ctx)
    const title = visibleLine(given.title).trim() || 'Untitled'
    const base = { user: ctx.user, title, slug: undefined, by: 'person', wrong: 'mark' } as const
    const { open, ...content } =
      given.from === undefined ? await fromTemplate(ctx, given, title) : await fromStory(ctx, given.from, title)
    const { story, version, waiting, faults, notices } = await createStory(parts, { ...base, ...content })
    return {
      slug: story.slug,
      title: story.title,
      version,
      waiting: [...waiting],
      open: [...open],
      faults: faultLines(faults),
      notices: [...notices],
    }
  },
  render: ({ slug, waiting, open }) =>
    [
      `Started ${slug}. ${operationNamed('story_edit', slug)} opens it in your editor.`,
      ...(open.length === 0
        ? waitingLines(slug, waiting)
        : [`Replace ${open.join(', ')} in its statements by names of your data.`]),
    ].join('\n'),
})

type Content = Pick<NewStory, 'project' | 'folder' | 'chat' | 'text' | 'data'> & Pick<FilledTemplate, 'open'>

async function fromTemplate(
  ctx: Given<'analyst' | 'context'>,
  { template, table }: Pick<Input, 'template' | 'table'>,
  title: string,
): Promise<Content> {
  const context = await contextHere(ctx)
  const filled = await filledBy(context, { template, table, title })
  return { project: await projectKey(ctx), folder: context?.root ?? ctx.cwd, ...filled }
}

async function filledBy(
  context: ContextProject | undefined,
  { template, table: named, title }: { template: StoryTemplate; table: string | undefined; title: string },
): Promise<FilledTemplate> {
  if (context === undefined || template === 'blank') return fillTemplate(template, title, undefined)
  const tables = (await compiledTables(context)).map(
    ({ table: { connection, schema, name, columns } }): TemplateTable => ({
      database: connection,
      schema,
      name,
      columns,
    }),
  )
  const table = named === undefined ? chooseTable(tables) : tableNamed(tables, named)
  if (table === undefined) return fillTemplate(template, title, undefined)
  // A database that cannot be reached now is no reason not to write about it.
  const warehouse = await context.warehouse(table.database).catch(() => undefined)
  return fillTemplate(
    template,
    title,
    warehouse && {
      table,
      spelling: { dialect: warehouse.dialect.name, quote: (name) => warehouse.quote(name) },
    },
  )
}

function tableNamed(tables: readonly TemplateTable[], named: string): TemplateTable {
  const names = ({ database, schema, name }: TemplateTable): string[] => [
    name,
    `${schema}.${name}`,
    `${database}.${schema}.${name}`,
  ]
  const found = tables.find((table) => names(table).some((one) => one.toLowerCase() === named.trim().toLowerCase()))
  if (found !== undefined) return found
  throw unknownName(
    'table',
    named,
    tables.map(({ schema, name }) => `${schema}.${name}`),
  )
}

/** A copy has the rows of the original, which may be another person's; its statements run for its owner. */
async function fromStory(ctx: Given<'analyst' | 'context'>, slug: string, title: string): Promise<Content> {
  const state = await ctx.analystState()
  const original = await readableStory(ctx, slug)
  const [{ text }, data] = await Promise.all([newestVersion(state, original), state.stories.data(original.id)])
  const isOwn = original.user === ctx.user
  return {
    project: await projectKey(ctx),
    folder: isOwn ? original.folder : ((await contextHere(ctx))?.root ?? ctx.cwd),
    ...(isOwn && original.chat !== undefined && { chat: original.chat }),
    text: retitled(text, title),
    data,
    open: [],
  }
}
