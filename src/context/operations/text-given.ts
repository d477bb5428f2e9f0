import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Given } from '../../operations/context.ts'

export const textField = {
  text: z.string().max(1_000_000).optional().describe('The new text.'),
  stdin: z.boolean().default(false).describe('Read it from a pipe: `ken context save RULES.md --stdin < new.md`.'),
}

/** Text from the caller, or from the pipe of a terminal, which no other surface has. */
export async function textGiven(
  ctx: Given<'machine'>,
  { text, stdin }: { readonly text?: string | undefined; readonly stdin: boolean },
): Promise<string> {
  if (text !== undefined) return text
  const piped = stdin && ctx.origin.surface === 'cli' ? await ctx.files.input() : ''
  if (piped !== '') return piped
  throw new AppError('invalid_input', 'No text given.', {
    hint: 'Pipe it with --stdin, or pass --text.',
  })
}
