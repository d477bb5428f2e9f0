import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { compileGlob } from '../../kernel/domain/glob.ts'
import { defineOperation } from '../../operations/operation.ts'

export const searchFiles = defineOperation({
  name: 'search_files',
  title: 'Find files of the context by name',
  summary: 'Find files of the context project whose path fits a glob.',
  searchHint: 'context files by name',
  effect: 'read',
  words: 'context',
  needs: ['context'],
  onServer: {},
  positional: ['pattern'],
  input: {
    pattern: z
      .string()
      .min(1)
      .max(500)
      .describe('A glob, e.g. **/table=order*/columns.md; without a slash it is looked for in file names.'),
    limit: z.number().int().min(1).max(1_000).default(100),
  },
  output: { files: z.array(z.object({ path: z.string(), bytes: z.number() })), total: z.number() },
  examples: [{ title: 'Markdown files', input: { pattern: '*.md' } }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const fits = pathGlob(input.pattern)
    const found = (await project.files.list('')).filter((file) => fits(file.path))
    return { files: found.slice(0, input.limit).map(({ path, bytes }) => ({ path, bytes })), total: found.length }
  },
  render: (output) =>
    [
      ...output.files.map((file) => file.path),
      ...(output.total > output.files.length ? [`and ${output.total - output.files.length} more`] : []),
    ].join('\n') || 'No file fits.',
})

/** `=` and other characters of partition names are literal. */
export function pathGlob(pattern: string): (path: string) => boolean {
  const clean = pattern.replace(/^\.?\/+/, '')
  const fits = compileGlob(clean.includes('/') ? clean : `**/${clean}`, { ignoreCase: true })
  if (fits === undefined)
    throw new AppError('invalid_input', 'The pattern is too long.', {
      hint: 'Use a folder and an extension, e.g. docs/**/*.md.',
    })
  return fits
}
