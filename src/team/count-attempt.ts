import { AppError } from '../kernel/domain/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { AttemptLimits } from './ports/sign-in.ts'

const LIMIT_MINUTES = 60

/**
 * Counts a sign-in attempt in each bucket. Throws `unavailable` if one of them exceeds its hourly `most`;
 * `details.retryAfter` is the number of seconds until the next hour begins.
 */
export async function countAttempt(
  { limits, clock }: { readonly limits: AttemptLimits; readonly clock: Clock },
  buckets: readonly { readonly name: string; readonly most: number }[],
): Promise<void> {
  const now = clock.now()
  if (await limits.count(buckets, { now: now.toISOString(), minutes: LIMIT_MINUTES })) return
  const span = LIMIT_MINUTES * 60_000
  const retryAfter = Math.ceil((span - (now.getTime() % span)) / 1_000)
  throw new AppError('unavailable', 'Too many sign-in attempts.', {
    hint: `Try again in ${Math.ceil(retryAfter / 60)} min.`,
    details: { retryAfter },
  })
}
