import type { ParseArgsConfig } from 'node:util'
import type { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Environment } from '../settings.ts'

/** A command that maintains a server's database from outside the server; returns its output. */
export interface CareCommand {
  readonly options: NonNullable<ParseArgsConfig['options']>
  run(given: CareGiven, environment: Environment): Promise<string>
}

export interface CareGiven {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
}

export function onlyWord({ words }: CareGiven, missing: string): string {
  const [word, ...more] = words
  if (word === undefined || word === '' || more.length > 0)
    throw new AppError('invalid_input', missing, { hint: 'See `ken server --help`.' })
  return word
}

/** Parses the arguments of a command with flags only. */
export function parsedFlags<T>(schema: z.ZodType<T>, { words, flags }: CareGiven): T {
  if (words.length > 0)
    throw new AppError('invalid_input', `Unexpected argument "${words[0]}".`, { hint: 'See `ken server --help`.' })
  const result = schema.safeParse({ ...flags })
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new AppError('invalid_input', `--${issue!.path.join('.')}: ${issue!.message}.`, {
    hint: 'See `ken server --help`.',
  })
}
