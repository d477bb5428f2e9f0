/** Every failure Ken reports deliberately. Expected outcomes (no hit, a rejected proposal) are data, not errors. */
export const ERROR_TABLE = {
  invalid_input: { exit: 2, http: 400, means: 'the caller sent something that cannot be accepted' },
  not_found: { exit: 3, http: 404, means: 'the named thing does not exist' },
  conflict: { exit: 4, http: 409, means: 'the record changed, or already says otherwise' },
  forbidden: { exit: 5, http: 403, means: 'the path, file or host is not allowed' },
  confirm_needed: { exit: 9, http: 403, means: 'the change needs a code from a terminal' },
  damaged: { exit: 6, http: 422, means: 'a file on disk cannot be understood' },
  disconnected: { exit: 8, http: 424, means: 'the record of the project is not where it should be on this machine' },
  unavailable: { exit: 7, http: 503, means: 'a disk, lock, source or model cannot be reached now' },
  stopped: { exit: 130, http: 499, means: 'the caller stopped it before it was done' },
  internal: { exit: 1, http: 500, means: 'a fault in Ken itself' },
} as const

export type ErrorCode = keyof typeof ERROR_TABLE

export class AppError extends Error {
  readonly code: ErrorCode
  /** What to do next, one sentence. */
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: { hint?: string; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.hint = more.hint
    this.details = more.details
  }

  /** Message and next step, on one line. */
  get line(): string {
    return errorLine(this)
  }
}

/** Message and next step, on one line. */
export function errorLine({ message, hint }: { readonly message: string; readonly hint?: string | undefined }): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`
  return hint === undefined || hint === '' ? sentence : `${sentence} ${hint}`
}
