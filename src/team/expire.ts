import type { Clock } from '../kernel/ports/clock.ts'
import type { Authorizations } from './ports/authorizations.ts'
import type { RetentionRules } from './ports/retention.ts'

/** Ends what was kept for as long as it should be, and forgets what people allowed programs and is over. */
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
