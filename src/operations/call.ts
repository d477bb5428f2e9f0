import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { Context } from './context.ts'
import type { Operation } from './operation.ts'

/** The one way any surface runs an operation: input is parsed here and nowhere else. */
export async function call(ctx: Context, operation: Operation, raw: unknown): Promise<{ input: Record<string, unknown>; output: Record<string, unknown> }> {
  const parsed = operation.input.safeParse(raw ?? {})
  if (!parsed.success) throw invalidInput(operation, parsed.error)
  return { input: parsed.data, output: await operation.run(ctx, parsed.data) }
}

/** Names the first fault and what was expected; the full list is in the details. */
function invalidInput(operation: Operation, error: z.ZodError): AppError {
  const [first] = error.issues
  const where = first?.path.join('.') ?? ''
  const message = first === undefined ? 'the input is not valid' : where === '' ? first.message : `${where}: ${first.message}`
  return new AppError('invalid_input', `${operation.name}: ${message}`, {
    hint: `Run \`ken ${operation.command[0]} --help\` to see what it takes.`,
    details: { issues: error.issues.map((i) => ({ path: i.path.join('.'), message: i.message })) },
  })
}

/** The single door for foreign throws. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new AppError('internal', message.split('\n')[0] || 'unknown fault', { hint: 'This is a fault in Ken; run again with KEN_DEBUG=1 and report it.', cause: thrown })
}
