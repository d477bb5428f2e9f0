import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { redactDeep } from '../../kernel/domain/secrets/redact-deep.ts'
import { inBytes } from '../../kernel/domain/text.ts'
import { inertMarkdown } from '../../kernel/domain/text/inert-markdown.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import type { Inline, TextBlock } from '../domain/story/story-blocks.ts'
import { openStory, storyHtml, storyPdf } from '../draw-story.ts'
import { slugField, versionOf } from './stories.ts'
import { shownThreads, type ShownThread } from './story-comments.ts'
import { faultLines, readableStory } from './story-parts.ts'

const FORMATS = ['html', 'pdf', 'md'] as const
type Format = (typeof FORMATS)[number]

export const storyExport = defineOperation({
  name: 'story_export',
  title: 'Export a story',
  summary: 'Export a story as HTML, PDF or Markdown.',
  details:
    'The page is self-contained: it includes its charts, runs no script, makes no request, and follows light and dark mode. The PDF is made without a browser. md gives the text, which `ken stories edit --file` accepts; images and external links are plain text, so opening it loads nothing. A file is replaced only with --force; --output - prints.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug'],
  hiddenFrom: NOT_FOR_AGENTS,
  holdsFile: ['base64', 'text'],
  input: {
    slug: slugField,
    as: z.enum(FORMATS).optional().describe('Output format; default: by the extension of --output, else html.'),
    output: z.string().min(1).max(4096).optional().describe('Output file, or - to print; default: <slug>.html.'),
    force: z.boolean().default(false).describe('Replace that file if it exists.'),
    version: z.number().int().min(1).optional().describe('Version; default: the newest.'),
    comments: z.boolean().default(false).describe('Add the comments on it, at the end of a page or PDF.'),
  },
  output: {
    slug: z.string(),
    version: z.number(),
    as: z.enum(FORMATS),
    path: z.string().optional().describe('The file that was written.'),
    text: z.string().optional().describe('The page or the Markdown, if no file was written.'),
    base64: z.string().optional().describe('The PDF, if no file was written.'),
    bytes: z.number(),
    faults: z.array(z.string()),
  },
  examples: [
    { title: 'As a page', input: { slug: 'sales', output: 'sales.html' } },
    { title: 'The Markdown', input: { slug: 'sales', as: 'md', output: '-' } },
  ],
  async run(ctx, input) {
    const state = await ctx.analystState()
    const story = await readableStory(ctx, input.slug)
    const isPerson = ctx.origin.surface === 'cli'
    const as = input.as ?? formatOf(input.output) ?? 'html'
    // Over HTTP the answer is the file: a server does not write files for its callers.
    const machine = isPerson ? machineOf(ctx) : undefined
    if (input.comments && as === 'md')
      throw new AppError('invalid_input', 'Markdown is the text of the story, without comments.', {
        hint: 'Export HTML or PDF.',
      })
    const target =
      isPerson && input.output !== '-' ? machine!.pathNamed(input.output ?? `${story.slug}.${as}`) : undefined
    if (target !== undefined && !input.force && (await machine!.files.writtenOn(target)) !== undefined)
      throw new AppError('conflict', `${target} already exists.`, {
        hint: 'Replace it with --force, or choose another with --output.',
      })
    const version = await versionOf(state, story, input.version)
    const comments = input.comments ? commentBlocks(await shownThreads(ctx, story, version)) : []
    const laid = await openStory(state, story, version)
    const opened = redactDeep({ ...laid, blocks: [...laid.blocks, ...comments] }).value
    const written = await fileOf(ctx, opened, as)
    const bytes = typeof written === 'string' ? new TextEncoder().encode(written).length : written.length
    if (target !== undefined)
      await machine!.files.write(target, typeof written === 'string' ? new TextEncoder().encode(written) : written, {
        replace: input.force,
      })
    else if (ctx.pipe !== undefined) await ctx.pipe(written)
    const isGiven = target === undefined && ctx.pipe === undefined
    return {
      slug: story.slug,
      version: version.version,
      as,
      ...(target !== undefined && { path: target }),
      ...(isGiven && typeof written === 'string' && { text: written }),
      ...(isGiven && typeof written !== 'string' && { base64: toBase64(written) }),
      bytes,
      faults: faultLines(opened.faults),
    }
  },
  isProse: ({ output }) => output !== '-',
  render: ({ slug, as, path, text, base64, bytes, faults }) => {
    if (text !== undefined) return text
    if (base64 !== undefined) return base64
    if (path === undefined) return ''
    return [`Wrote ${slug} to ${path} (${as}, ${inBytes(bytes)}).`, ...faults].join('\n')
  },
})

function formatOf(path: string | undefined): Format | undefined {
  const ending = /\.([a-z]+)$/i.exec(path ?? '')?.[1]?.toLowerCase()
  return ending === 'htm' ? 'html' : FORMATS.find((one) => one === ending || (one === 'md' && ending === 'markdown'))
}

async function fileOf(
  ctx: Given<'analyst'>,
  opened: Awaited<ReturnType<typeof openStory>>,
  as: Format,
): Promise<string | Uint8Array> {
  if (as === 'md') return inertMarkdown(opened.version.text.replace(/\n?$/, '\n'))
  const painter = await ctx.charts()
  if (as === 'html') return storyHtml(opened, painter)
  return storyPdf(opened, { painter, printer: await ctx.pagePrinter(), at: ctx.clock.now() })
}

/** Comments as text, which every format escapes. */
function commentBlocks(threads: readonly ShownThread[]): readonly TextBlock[] {
  if (threads.length === 0) return []
  const text = (written: string): Inline => ({ kind: 'text', text: written })
  return [
    { kind: 'rule' },
    { kind: 'heading', level: 2, inside: [text('Comments')] },
    ...threads.flatMap(({ on, resolved, comments }): TextBlock[] => [
      {
        kind: 'paragraph',
        inside: [
          { kind: 'strong', inside: [text(on ?? 'The story')] },
          ...(resolved === undefined ? [] : [text(', resolved')]),
        ],
      },
      {
        kind: 'list',
        start: undefined,
        items: comments.map(({ by, at, text: said }) => [
          {
            kind: 'paragraph',
            inside: [
              text(`${by}, ${at.slice(0, 16).replace('T', ' ')} UTC: `),
              ...said.split('\n').flatMap((line, nth): Inline[] => [...(nth === 0 ? [] : [BREAK]), text(line)]),
            ],
          },
        ]),
      },
    ]),
  ]
}

const BREAK: Inline = { kind: 'break' }

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
