import { z } from 'zod'
import { ellipsis } from '../../kernel/domain/text.ts'
import { defineOperation } from '../../operations/operation.ts'
import type { FoundLine } from '../ports/context-files.ts'
import { pathGlob } from './search-files.ts'

const LONGEST_LINE = 400

const hit = z.object({
  path: z.string(),
  line: z.number(),
  text: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
})

export const grepFiles = defineOperation({
  name: 'grep_files',
  title: 'Search in the files of the context',
  summary: 'Find lines in the files of the context project, with the lines around them.',
  searchHint: 'text in compiled context',
  effect: 'read',
  words: 'context',
  needs: ['context'],
  onServer: {},
  positional: ['pattern'],
  input: {
    pattern: z.string().min(1).max(1_000).describe('A regular expression.'),
    literal: z.boolean().default(false).describe('Match the pattern literally.'),
    match_case: z.boolean().default(false),
    files: z.string().max(500).optional().describe('Only files with a path that matches this glob.'),
    context: z.number().int().min(0).max(10).default(0).describe('Lines to show before and after.'),
    limit: z.number().int().min(1).max(1_000).default(100),
  },
  output: { hits: z.array(hit), files: z.number().describe('That hold a hit.'), more: z.boolean() },
  examples: [{ title: 'A word in all files', input: { pattern: 'rules', context: 1 } }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const { pattern, literal, match_case: matchCase, context, limit } = input
    const accepts = input.files === undefined ? () => true : pathGlob(input.files)
    const found = await project.files.grep({ pattern, literal, matchCase, context, limit, accepts }, ctx.signal)
    return { ...found, hits: found.hits.map(shortened) }
  },
  render(output) {
    const groups = [...Map.groupBy(output.hits, (one) => one.path)].map(([path, hits]) =>
      [path, ...hits.flatMap(shown)].join('\n'),
    )
    return (
      [...groups, ...(output.more ? ['There is more: narrow the pattern or the files.'] : [])].join('\n\n') ||
      'No line fits.'
    )
  },
})

function shortened({ path, line, text, before, after }: FoundLine): z.output<typeof hit> {
  const short = (each: string): string => ellipsis(each, LONGEST_LINE)
  return { path, line, text: short(text), before: before.map(short), after: after.map(short) }
}

const shown = ({ line, text, before, after }: z.output<typeof hit>): readonly string[] => [
  ...before.map((around, i) => `${line - before.length + i}-${around}`),
  `${line}:${text}`,
  ...after.map((around, i) => `${line + 1 + i}-${around}`),
]
