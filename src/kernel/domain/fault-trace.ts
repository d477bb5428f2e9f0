import { AppError } from './errors.ts'
import { redactSecrets } from './secrets/redact.ts'

const MOST_CAUSES = 8

/** Stack of a failure and all its causes, without secrets. */
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

/** Line of a server's log. */
export interface FaultLine {
  readonly at: string
  /** Kind of error, and its code if it has one. */
  readonly fault: string
  /** Places in the code, innermost first. */
  readonly where: readonly string[]
}

const MOST_PLACES = 8

/**
 * Location of a fault in Ken itself; undefined for a deliberate failure, which is reported to the caller. Never
 * contains the message, which may contain anything.
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

/** Stack locations relative to the package folder: the installation path is private. */
const placesIn = (stack: string): string[] =>
  stack.split('\n').flatMap((line) => /(?:src|dist|node_modules)\/[\w./@-]+:\d+:\d+(?=\)?$)/.exec(line)?.[0] ?? [])

const causeOf = (fault: unknown): unknown => (fault instanceof Error ? fault.cause : undefined)
