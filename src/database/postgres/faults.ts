import { AppError } from '../../kernel/domain/errors.ts'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/**
 * Whether the connection is gone or its server is unusable: a standby, one that is stopping or has a failing disk, or
 * one without free connections.
 */
export const isLost = (error: unknown): boolean =>
  /^(?:E(?:CONN|PIPE|TIMEDOUT|HOST|NET)|08|53300|57P|58|25006)/.test(codeOf(error)) ||
  // The driver sets no code for these errors.
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|timeout exceeded when trying to connect|timeout expired)/.test(
    (error as Error | undefined)?.message ?? '',
  )

/** The database or role does not exist, rejects Ken or cannot prove its identity: retrying changes nothing. */
const isRejected = (error: unknown): boolean => /^(?:28|3D000)/.test(codeOf(error)) || isUntrusted(error)

const isUntrusted = (error: unknown): boolean =>
  /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS)/.test(codeOf(error)) ||
  // The driver sets no code for this error.
  (error as Error | undefined)?.message?.startsWith('The server does not support SSL') === true

/** Error for a connection that could not be opened. Whatever the driver reports, the cause is outside Ken. */
export const asNotConnected = (error: unknown): unknown =>
  isLost(error) || isRejected(error)
    ? error
    : Object.assign(new Error('no connection was made', { cause: error }), { code: NOT_CONNECTED })

const NOT_CONNECTED = '08001'

/** The server explicitly refused: it took too long, has no room, or rejects Ken. */
export const isRefused = (error: unknown): boolean => isRejected(error) || /^(?:57014|53)/.test(codeOf(error))

/** A standby rejects all writes, and any server those of a read-only transaction. */
export const isRefusedWrite = (error: unknown): boolean => codeOf(error) === '25006'

/** The server aborted the transaction in favour of another: a deadlock or a serialization failure. */
export const isWorthAgain = (error: unknown): boolean => /^40(?:001|P01)$/.test(codeOf(error))

/** The driver's message may contain the address with its password, so it is not shown. */
export const unreachable = (error: unknown, outcome?: 'unknown'): AppError =>
  new AppError('unavailable', reasonOf(error), {
    hint:
      outcome === 'unknown'
        ? 'Check whether it exists before you try again.'
        : isRejected(error)
          ? 'Correct DATABASE_URL.'
          : 'Try again shortly.',
    details: { reason: codeOf(error), ...(outcome && { outcome }) },
  })

const reasonOf = (error: unknown): string =>
  isUntrusted(error)
    ? 'No connection to the database can be made that TLS protects as DATABASE_URL wants'
    : (REASONS[codeOf(error)] ?? 'The database cannot be reached')

const REASONS: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the password of DATABASE_URL',
  '28000': 'The database refuses the user of DATABASE_URL',
  '3D000': 'There is no database of the name in DATABASE_URL',
  '53100': 'The disk of the database is full',
  '53300': 'The database has no connection left',
  '57014': 'The database took too long',
  '55P03': 'Somebody else is at it',
}
