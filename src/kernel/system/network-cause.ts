/** Error code such as `ECONNREFUSED`, from any depth of the error that `fetch` threw. */
export function networkCause(error: unknown): string {
  const { cause, code, message, errors } = (error ?? {}) as {
    cause?: unknown
    code?: unknown
    message?: unknown
    errors?: readonly unknown[]
  }
  if (typeof code === 'string') return code
  const deeper = cause ?? errors?.[0]
  return deeper === undefined ? String(message ?? error) : networkCause(deeper)
}
