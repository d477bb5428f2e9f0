import { AppError } from '../kernel/domain/errors.ts'
import type { Given, Needs } from './context.ts'

/**
 * The caller's machine, for a part of an operation that is not available on a team server. Throws `forbidden` there.
 */
export function machineOf<C extends Given>(ctx: C): C & Needs['machine'] {
  if (ctx.team !== undefined)
    throw new AppError('forbidden', 'Not available on a team server.', { hint: 'Run this on your own machine.' })
  return ctx as C & Needs['machine']
}
