import { AppError } from '../../../core/errors.ts'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** The connection is gone, or leads to a server that takes no writes: a standby, or one that is being stopped. */
export const isLost = (error: unknown): boolean =>
  /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|08|57P0[123]|25006)/.test(codeOf(error)) ||
  // The driver gives these no code.
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired)/.test(
    (error as Error | undefined)?.message ?? '',
  )

/** A standby refuses all writes, and every server those of a transaction that only reads. */
export const isRefusedWrite = (error: unknown): boolean => codeOf(error) === '25006'

/** The server ended it in favour of another transaction: a deadlock, or a state that both changed. */
export const isWorthAgain = (error: unknown): boolean => /^40(?:001|P01)$/.test(codeOf(error))

/** What the driver says may hold the address with its password, so none of it is told. */
export const unreachable = (error: unknown, outcome?: 'unknown'): AppError =>
  new AppError('unavailable', REASONS[codeOf(error)] ?? 'The database cannot be reached', {
    hint: outcome === 'unknown' ? 'Look whether it is there before you try again.' : 'Try again in a moment.',
    details: { reason: codeOf(error), ...(outcome && { outcome }) },
  })

const REASONS: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the password of DATABASE_URL',
  '28000': 'The database refuses the user of DATABASE_URL',
  '3D000': 'There is no database of the name in DATABASE_URL',
  '57014': 'The database took too long',
  '55P03': 'Somebody else is at it',
}
