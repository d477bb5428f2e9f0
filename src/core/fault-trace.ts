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

const causeOf = (fault: unknown): unknown => (fault instanceof Error ? fault.cause : undefined)
