import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import { ellipsis } from '../core/text.ts'
import { defineOperation } from './operation.ts'
import { pathGlob } from './search-files.ts'

const LONGEST_LINE = 400

const hit = z.object({ path: z.string(), line: z.number(), text: z.string(), before: z.array(z.string()), after: z.array(z.string()) })

export const grepFiles = defineOperation({
  name: 'grep_files',
  title: 'Search in the files of the context',
  summary: 'Find lines in the files of the context project, with the lines around them.',
  effect: 'read',
  toolset: 'data',
  positional: ['pattern'],
  input: {
    pattern: z.string().min(1).max(1_000).describe('A regular expression.'),
    literal: z.boolean().default(false).describe('Take the pattern as it is.'),
    match_case: z.boolean().default(false),
    files: z.string().max(500).optional().describe('Only files whose path fits this glob.'),
    context: z.number().int().min(0).max(10).default(0).describe('Lines to show before and after.'),
    limit: z.number().int().min(1).max(1_000).default(100),
  },
  output: { hits: z.array(hit), files: z.number().describe('That hold a hit.'), more: z.boolean() },
  examples: [{ title: 'A word in all files', input: { pattern: 'rules', context: 1 } }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const expression = expressionOf(input.pattern, input)
    const fits = input.files === undefined ? () => true : pathGlob(input.files)
    const paths = (await project.files.list('')).map((file) => file.path).filter(fits)
    const hits: z.output<typeof hit>[] = []
    let files = 0
    for await (const file of project.files.scan(paths, (text) => expression.test(text))) {
      const found = linesWith(expression, file.text, input.context).map((line) => ({ path: file.path, ...line }))
      if (found.length > 0) files++
      hits.push(...found)
      if (hits.length > input.limit) break
    }
    return { hits: hits.slice(0, input.limit), files, more: hits.length > input.limit }
  },
  render(output) {
    const groups = [...Map.groupBy(output.hits, (one) => one.path)].map(([path, hits]) => [path, ...hits.flatMap(shown)].join('\n'))
    return [...groups, ...(output.more ? ['There is more: narrow the pattern or the files.'] : [])].join('\n\n') || 'No line fits.'
  },
})

function expressionOf(pattern: string, { literal, match_case }: { literal: boolean; match_case: boolean }): RegExp {
  try {
    return new RegExp(literal ? pattern.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`) : pattern, match_case ? 'm' : 'im')
  } catch (error) {
    throw new AppError('invalid_input', `The pattern cannot be used: ${(error as Error).message}.`, { hint: 'Mend it, or set literal to take it as it is.' })
  }
}

function linesWith(expression: RegExp, text: string, context: number): readonly Omit<z.output<typeof hit>, 'path'>[] {
  const lines = text.split('\n')
  const cut = (part: readonly string[]): string[] => part.map((line) => ellipsis(line, LONGEST_LINE))
  return lines.flatMap((line, i) =>
    expression.test(line) ? [{ line: i + 1, text: ellipsis(line, LONGEST_LINE), before: cut(lines.slice(Math.max(0, i - context), i)), after: cut(lines.slice(i + 1, i + 1 + context)) }] : [])
}

const shown = ({ line, text, before, after }: z.output<typeof hit>): readonly string[] => [
  ...before.map((around, i) => `${line - before.length + i}-${around}`),
  `${line}:${text}`,
  ...after.map((around, i) => `${line + 1 + i}-${around}`),
]
