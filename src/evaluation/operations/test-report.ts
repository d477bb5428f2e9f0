import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { inBytes } from '../../kernel/domain/text.ts'
import { machineOf } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { reportHtml } from '../domain/report-html.ts'
import { reportJson } from '../domain/report-json.ts'
import { reportJunit } from '../domain/report-junit.ts'
import { reportMarkdown } from '../domain/report-markdown.ts'
import type { RunReport } from '../domain/run-report.ts'
import { openReport } from '../open-report.ts'
import { baselineField, comparedWith, runField, runNamed } from './run-fields.ts'

const FORMATS = ['html', 'json', 'junit', 'markdown'] as const
type Format = (typeof FORMATS)[number]

const WRITERS: Readonly<Record<Format, (report: RunReport) => string>> = {
  html: reportHtml,
  json: reportJson,
  junit: reportJunit,
  markdown: reportMarkdown,
}

const ENDINGS: Readonly<Record<string, Format>> = {
  html: 'html',
  htm: 'html',
  json: 'json',
  xml: 'junit',
  md: 'markdown',
  markdown: 'markdown',
}

export const testReport = defineOperation({
  name: 'test_report',
  title: 'Report a run of tests',
  summary: 'Export a test run as HTML, JSON, JUnit XML or Markdown.',
  details:
    'The page needs nothing else: it asks nothing of the network, follows light and dark, and shows the runs before it. The JSON can be read again as a baseline. JUnit XML is for servers that show tests. A file is replaced only with --force; without --output the report is printed.',
  effect: 'write',
  fromPage: 'free',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['run'],
  input: {
    run: runField,
    format: z.enum(FORMATS).optional().describe('Output format; default: by the extension of --output, else markdown.'),
    output: z.string().min(1).max(4096).optional().describe('Output file, or - to print.'),
    force: z.boolean().default(false).describe('Replace that file if it exists.'),
    baseline: baselineField,
  },
  output: {
    run: z.string(),
    format: z.enum(FORMATS),
    path: z.string().optional().describe('The file that was written.'),
    text: z.string().optional().describe('The report, if no file was written.'),
    bytes: z.number(),
  },
  examples: [
    { title: 'The last run as a page', input: { format: 'html', output: 'tests.html' } },
    { title: 'For a pull request', input: { run: 'last', format: 'markdown', baseline: 'last' } },
  ],
  async run(ctx, input) {
    const isPerson = ctx.origin.surface === 'cli'
    const format = input.format ?? formatOf(input.output) ?? 'markdown'
    // Over HTTP the response is the report: a server neither writes nor reads files for callers.
    const target =
      isPerson && input.output !== undefined && input.output !== '-'
        ? machineOf(ctx).pathNamed(input.output)
        : undefined
    if (target !== undefined && !input.force && (await machineOf(ctx).files.writtenOn(target)) !== undefined)
      throw new AppError('conflict', `${target} already exists.`, {
        hint: `Choose another file, or replace it with ${fieldNamed('force')}.`,
      })
    const { runs } = await ctx.analystState()
    const run = await runNamed(ctx, input.run)
    const text = WRITERS[format](await openReport(runs, run, await comparedWith(ctx, input.baseline, run)))
    const bytes = new TextEncoder().encode(text).length
    if (target !== undefined) await machineOf(ctx).files.write(target, text, { replace: input.force })
    else if (ctx.pipe !== undefined) await ctx.pipe(text)
    const isGiven = target === undefined && ctx.pipe === undefined
    return { run: run.id, format, ...(target !== undefined && { path: target }), ...(isGiven && { text }), bytes }
  },
  own: ({ path, format, bytes }) => (path === undefined ? '' : `Wrote ${path} (${format}, ${inBytes(bytes)}).`),
  isProse: () => false,
  isText: true,
  render: ({ text }) => text ?? '',
})

const formatOf = (path: string | undefined): Format | undefined =>
  ENDINGS[/\.([a-z]+)$/i.exec(path ?? '')?.[1]?.toLowerCase() ?? '']
