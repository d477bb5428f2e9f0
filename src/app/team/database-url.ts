import { AppError } from '../../core/errors.ts'
import type { Environment } from '../settings.ts'

export function databaseUrl(environment: Environment): string {
  const url = environment['DATABASE_URL']?.trim()
  if (url === undefined || url === '')
    throw new AppError('invalid_input', 'DATABASE_URL is not set.', { hint: 'See `ken server --help`.' })
  return url
}
