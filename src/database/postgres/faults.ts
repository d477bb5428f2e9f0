import { AppError } from '../../kernel/domain/errors.ts'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/**
 * The connection is gone, or leads to a server that is of no use now: a standby, one that is being stopped or whose
 * disk fails, or one that has no connection left.
 */
export const isLost = (error: unknown): boolean =>
  /^(?:E(?:CONN|PIPE|TIMEDOUT|HOST|NET)|08|53300|57P|58|25006)/.test(codeOf(error)) ||
  // The driver gives these no code.
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|timeout exceeded when trying to connect|timeout expired)/.test(
    (error as Error | undefined)?.message ?? '',
  )

/** Who is asked for does not exist, does not let Ken in or cannot prove who it is: asking again changes nothing. */
const isTurnedAway = (error: unknown): boolean => /^(?:28|3D000)/.test(codeOf(error)) || isUntrusted(error)

const isUntrusted = (error: unknown): boolean =>
  /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS)/.test(codeOf(error)) ||
  // The driver gives this no code.
  (error as Error | undefined)?.message?.startsWith('The server does not support SSL') === true

/** What a connection was not made for. Whatever the driver says, none of it is a fault of ours. */
export const asNotConnected = (error: unknown): unknown =>
  isLost(error) || isTurnedAway(error)
    ? error
    : Object.assign(new Error('no connection was made', { cause: error }), { code: NOT_CONNECTED })

const NOT_CONNECTED = '08001'

/** The server did not do it, and says so: it took too long, has no room, or does not let Ken in. */
export const isRefused = (error: unknown): boolean => isTurnedAway(error) || /^(?:57014|53)/.test(codeOf(error))

/** A standby refuses all writes, and every server those of a transaction that only reads. */
export const isRefusedWrite = (error: unknown): boolean => codeOf(error) === '25006'

/** The server ended it in favour of another transaction: a deadlock, or a state that both changed. */
export const isWorthAgain = (error: unknown): boolean => /^40(?:001|P01)$/.test(codeOf(error))

/** What the driver says may hold the address with its password, so none of it is told. */
export const unreachable = (error: unknown, outcome?: 'unknown'): AppError =>
  new AppError('unavailable', reasonOf(error), {
    hint:
      outcome === 'unknown'
        ? 'Look whether it is there before you try again.'
        : isTurnedAway(error)
          ? 'Correct DATABASE_URL.'
          : 'Try again in a moment.',
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
