import { AppError } from './errors.ts'
import { redactSecrets } from './secrets/redact.ts'

const MOST_CAUSES = 8

/** Where a failure was thrown, and what caused it, down to the first; without secrets. */
export function faultTrace(thrown: unknown): string {
  const told: string[] = []
  const seen = new Set<unknown>()
  for (
    let at = thrown;
    at !== undefined && at !== null && !seen.has(at) && told.length < MOST_CAUSES;
    at = causeOf(at)
  ) {
    seen.add(at)
    told.push(at instanceof Error ? (at.stack ?? `${at.name}: ${at.message}`) : String(at))
  }
  return redactSecrets(told.join('\ncaused by: ')).text
}

/** A line of a server's log. */
export interface FaultLine {
  readonly at: string
  /** What kind it is, and its code where it has one. */
  readonly fault: string
  /** The places in the code, the innermost first. */
  readonly where: readonly string[]
}

const MOST_PLACES = 8

/**
 * Where a fault of Ken itself is; undefined for a failure on purpose, which whoever asked is told. Never what it says: the
 * words of a fault may hold anything.
 */
export function faultLine(thrown: unknown, at: Date): FaultLine | undefined {
  if (thrown instanceof AppError && thrown.code !== 'internal') return undefined
  const fault = thrown instanceof AppError ? (thrown.cause ?? thrown) : thrown
  const { name = typeof fault, message = '', code, stack = '' } = fault instanceof Error ? (fault as Coded) : {}
  return {
    at: at.toISOString(),
    fault: [name, code].filter((part) => typeof part === 'string' && /^[\w-]{1,60}$/.test(part)).join(' '),
    where: placesIn(stack.replace(message, '')).slice(0, MOST_PLACES),
  }
}

type Coded = Error & { readonly code?: unknown }

/** From the folder of the package on: where it is installed is nobody's business. */
const placesIn = (stack: string): string[] =>
  stack.split('\n').flatMap((line) => /(?:src|dist|node_modules)\/[\w./@-]+:\d+:\d+(?=\)?$)/.exec(line)?.[0] ?? [])

const causeOf = (fault: unknown): unknown => (fault instanceof Error ? fault.cause : undefined)
