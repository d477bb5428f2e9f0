import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { defineOperation } from '../../operations/operation.ts'

const MOST_LINES = 2_000
const MOST_CHARACTERS = 100_000

export const readFile = defineOperation({
  name: 'read_file',
  title: 'Read a file of the context',
  summary: 'Read a file of the context project, or a range of its lines.',
  searchHint: 'compiled context document',
  effect: 'read',
  words: 'context',
  needs: ['context'],
  onServer: {},
  positional: ['path'],
  input: {
    path: z.string().min(1).max(1_000).describe('Relative to the project.'),
    from: z.number().int().min(1).optional().describe('First line.'),
    to: z.number().int().min(1).optional().describe('Last line.'),
  },
  output: {
    path: z.string(),
    from: z.number(),
    to: z.number(),
    lines: z.number().describe('Size of the whole file.'),
    text: z.string(),
    stale: z.string().optional(),
  },
  examples: [{ title: 'The rules', input: { path: 'RULES.md' } }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const text = await project.files.read(input.path)
    const lines = text.split('\n')
    if (lines.at(-1) === '') lines.pop()
    const from = input.from ?? 1
    if (from > Math.max(1, lines.length))
      throw new AppError('invalid_input', `${input.path} has ${lines.length} lines.`, {
        hint: `Ask for lines up to ${lines.length}.`,
      })
    const to = Math.min(input.to ?? from + MOST_LINES - 1, from + MOST_LINES - 1, lines.length)
    const shown = withinCharacters(lines.slice(from - 1, to))
    const stale = /^stale_because: (.*)$/m.exec(
      text.startsWith('---\ngenerated_by: ken/') ? text.slice(0, 2_000) : '',
    )?.[1]
    return {
      path: input.path,
      from,
      to: from + shown.length - 1,
      lines: lines.length,
      text: shown.join('\n'),
      ...(stale !== undefined && { stale }),
    }
  },
  render: (output) =>
    output.to - output.from + 1 >= output.lines
      ? output.text
      : `${output.text}\n\n(lines ${output.from}–${output.to} of ${output.lines})`,
})

function withinCharacters(lines: readonly string[]): readonly string[] {
  let length = 0
  const end = lines.findIndex((line) => (length += line.length + 1) > MOST_CHARACTERS)
  if (end < 0) return lines
  return end === 0 ? [lines[0]!.slice(0, MOST_CHARACTERS)] : lines.slice(0, end)
}
