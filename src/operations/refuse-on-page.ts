import { AppError } from '../kernel/domain/errors.ts'
import { fieldNamed } from '../kernel/domain/named-operation.ts'
import type { Context } from './context.ts'

/**
 * Refuses a field on a page. A page shows one place of the machine that Ken runs on; other files there, the terminal
 * and endless commands are only for the person at that machine.
 */
export function refuseOnPage({ origin }: Pick<Context, 'origin'>, field: string, isGiven: boolean): void {
  if (isGiven && origin.surface === 'app')
    throw new AppError('forbidden', `${fieldNamed(field)} is not available from a page, only at a terminal.`, {
      hint: `Omit ${fieldNamed(field)}, or run the command at a terminal.`,
    })
}
