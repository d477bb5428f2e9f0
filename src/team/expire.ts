import type { Clock } from '../kernel/ports/clock.ts'
import type { Authorizations } from './ports/authorizations.ts'
import type { RetentionRules } from './ports/retention.ts'

/** Deletes data after its retention time, and expired grants to programs. */
export async function expire({
  retention,
  authorizations,
  clock,
}: {
  readonly retention: RetentionRules
  readonly authorizations: Authorizations
  readonly clock: Clock
}): Promise<void> {
  await authorizations.sweep(clock.now())
  await retention.enforce(clock.now())
}
