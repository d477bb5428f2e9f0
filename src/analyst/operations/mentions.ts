import { z } from 'zod'
import { compiledTables } from '../../context/operations/list-tables.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { namedBy } from '../domain/chat/named-by.ts'
import { readSkills } from '../skills.ts'
import { contextHere, projectKey } from './project-key.ts'

const KINDS = ['table', 'story', 'document', 'skill'] as const
const MOST = 5_000

const mention = z.object({
  kind: z.enum(KINDS),
  name: z.string(),
  mention: z.string().describe('Its name in a question.'),
  about: z.string().optional(),
})

export type Mention = z.output<typeof mention>

export const mentions = defineOperation({
  name: 'mentions',
  title: 'Things that a question can name',
  summary: 'List what a question can mention: tables, stories, documents (@), skills (/).',
  details: 'The analyst gets the whole of each named thing. Words match names that contain all of them.',
  effect: 'read',
  words: 'context',
  needs: ['analyst', 'context'],
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['words'],
  input: {
    words: z.array(z.string().max(200)).max(20).default([]).describe('Words the name contains.'),
    kinds: z.array(z.enum(KINDS)).max(4).optional().describe('Only these.'),
    limit: z.number().int().min(1).max(1_000).default(50).describe('Maximum number.'),
  },
  output: { mentions: z.array(mention), total: z.number() },
  examples: [
    { title: 'All of them', input: {} },
    { title: 'Tables by a word', input: { words: ['order'], kinds: ['table'] } },
  ],
  async run(ctx, input) {
    const all = (await readMentions(ctx)).filter(({ kind }) => input.kinds?.includes(kind) !== false)
    const found = namedBy(all, input.words)
    const project = await contextHere(ctx)
    const shown = await Promise.all(
      found.slice(0, input.limit).map(async ({ about, ...one }): Promise<Mention> => {
        const said = about === undefined ? undefined : ((await project?.redact(about))?.text ?? about)
        return { ...one, ...(said !== undefined && { about: said }) }
      }),
    )
    return { mentions: shown, total: found.length }
  },
  render: ({ mentions: found, total }, _input, view = PLAIN) =>
    found.length === 0
      ? 'Nothing here has such a name.'
      : [
          ...table(
            found.map((one) => [one.mention, one.kind, one.about ?? '']),
            [{ tone: 'title' }, { tone: 'dim' }, { shrinks: true }],
            view,
          ),
          ...(total > found.length ? [`and ${total - found.length} more`] : []),
        ].join('\n'),
})

/** Everything that can be mentioned here, tables first. */
export async function readMentions(ctx: Given<'analyst' | 'context'>): Promise<readonly Mention[]> {
  const project = await contextHere(ctx)
  const { stories } = await ctx.analystState()
  const kept = await stories.list({ user: ctx.user, project: await projectKey(ctx) })
  const [tables, files, skills] =
    project === undefined
      ? [[], [], []]
      : await Promise.all([
          compiledTables(project).catch(() => []),
          project.files.list('').catch(() => []),
          readSkills(project.files),
        ])
  const documents = files
    .map(({ path }) => path)
    .filter((path) => /\.(?:md|mdx|txt|sql|ya?ml)$/i.test(path) && !/^(?:databases|agent)\//.test(path))
  const all: Mention[] = [
    ...tables.map(({ table: one }) => named('table', `${one.schema}.${one.name}`, one.comment)),
    ...kept.map(({ slug, title }) => named('story', slug, title)),
    ...documents.map((path) => named('document', path)),
    ...skills.map(({ name, description }) => named('skill', name, description)),
  ]
  const once = new Map(all.map((one) => [one.mention, one]))
  return [...once.values()].filter(({ name }) => isSafe(name)).slice(0, MOST)
}

const named = (kind: Mention['kind'], name: string, about?: string): Mention => ({
  kind,
  name,
  mention: kind === 'skill' ? `/${name}` : spelled(name),
  ...(about !== undefined && about !== '' && { about }),
})

/** Writes a name in mention syntax: one with other characters is quoted. */
const spelled = (name: string): string => (/^[\p{L}\p{N}_][\p{L}\p{N}_.:/-]*$/u.test(name) ? `@${name}` : `@"${name}"`)

/** Excludes names that could control a terminal, or that cannot be typed in a question. */
const isSafe = (name: string): boolean => visible(name) === name && !/[\n\t"]/.test(name)
