import { AppError } from '../../kernel/domain/errors.ts'
import type { Environment } from '../settings.ts'

/** Returns a variable that the operator of the server must set; throws if it is missing. */
export function neededOf(environment: Environment, name: string): string {
  const value = environment[name]?.trim()
  if (value === undefined || value === '')
    throw new AppError('invalid_input', `${name} is not set.`, { hint: 'See `ken server --help`.' })
  return value
}
