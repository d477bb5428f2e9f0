import type { ParseArgsConfig } from 'node:util'
import { AppError } from '../../core/errors.ts'
import type { Environment } from '../settings.ts'

/** What looks after a server's database from beside it; the text that it says. */
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
