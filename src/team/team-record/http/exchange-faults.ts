import { AppError, ERROR_TABLE, type ErrorCode } from '../../../kernel/domain/errors.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { networkCause } from '../../../kernel/system/network-cause.ts'

export const LARGEST_FAULT = 64 * 1024
const LONGEST_SAID = 200

/**
 * Why a server refused a request, on one line, with the next step. The server's message is untrusted: it is shortened,
 * and stripped of terminal control characters.
 */
export function refusal(url: string, status: number, text: string): AppError {
  const host = hostOf(url)
  const known = KNOWN[status]
  if (known !== undefined)
    return new AppError(known.code, `${host} ${known.what}`, { hint: known.hint(url), details: { status } })
  const { code = status >= 500 || status === 429 ? 'unavailable' : 'forbidden', ...said } = saidIn(text)
  return new AppError(code, `${host}: ${said.message ?? `it answered ${status}`}`, {
    hint: said.hint ?? (code === 'forbidden' ? 'Ask an admin of the project.' : 'Try again later.'),
    details: { status },
  })
}

const KNOWN: Readonly<Record<number, { code: ErrorCode; what: string; hint(url: string): string }>> = {
  401: {
    code: 'forbidden',
    what: 'does not take this login: it ended, or was taken back.',
    hint: (url) => `Run \`ken auth login ${url}\`, then \`ken sync team\`; what was written meanwhile is kept here.`,
  },
  413: {
    code: 'invalid_input',
    what: 'does not take a push of this size.',
    hint: () => 'Move long texts out of the record.',
  },
  426: {
    code: 'unavailable',
    what: 'speaks another version of the protocol than this Ken.',
    hint: () => 'Bring Ken up to date: `npm install -g kenbase`.',
  },
}

export const strange = (url: string, what: string): AppError =>
  new AppError('unavailable', `The answer of ${hostOf(url)} ${what}. Nothing was saved.`, {
    hint: 'Check the server address.',
  })

export function unreachable(url: string, error: unknown): AppError {
  const isLate = (error as { name?: unknown } | null)?.name === 'TimeoutError'
  const why = isLate ? 'it did not answer in time' : networkCause(error)
  return new AppError('unavailable', `${hostOf(url)} cannot be reached (${why}).`, {
    hint: 'Local changes are kept and sent with the next sync.',
    details: { offline: true },
    cause: error,
  })
}

function saidIn(text: string): { code?: ErrorCode; message?: string; hint?: string } {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown; hint?: unknown } }
    const { code } = error ?? {}
    const [message, hint] = [lineOf(error?.message), lineOf(error?.hint)]
    return { ...(isCode(code) && { code }), ...(message && { message }), ...(hint && { hint }) }
  } catch {
    return {}
  }
}

const lineOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? visibleLine(value).slice(0, LONGEST_SAID) : undefined

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_TABLE, code)

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the server')
