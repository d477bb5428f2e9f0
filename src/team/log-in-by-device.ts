import { AppError } from '../kernel/domain/errors.ts'
import { givenNow, type LoginDesk } from './keep-logins.ts'
import type { ShelfPlace } from './ports/credential-store.ts'
import type { DeviceCodes, NewTokens } from './ports/login-server.ts'

export interface DeviceManner {
  /** Shows the code and where to type it. */
  show(codes: DeviceCodes): Promise<void>
  pause(seconds: number): Promise<void>
}

const SLOWER_BY = 5
const LONGEST_PAUSE = 60

/** RFC 8628: a person types a code in any browser; this machine polls until then. */
export async function logInByDevice(
  origin: string,
  desk: LoginDesk,
  { show, pause }: DeviceManner,
): Promise<ShelfPlace> {
  const { shelf, clock } = desk
  const server = desk.serverAt(origin)
  const codes = await server.begin()
  const until = clock.now().getTime() + codes.lives * 1_000
  await show(codes)
  let given: NewTokens | undefined
  for (let interval = codes.interval; given === undefined;) {
    await pause(interval)
    const answer = clock.now().getTime() > until ? 'expired' : await server.poll(codes.device).catch(orLater)
    if (answer === 'slow down') interval = Math.min(interval + SLOWER_BY, LONGEST_PAUSE)
    else if (typeof answer === 'object') given = answer
    else if (answer !== 'pending') throw unanswered(answer)
  }
  const now = clock.now()
  const login = givenNow(given, { now, since: now.toISOString() })
  return shelf.alone(origin, async () => {
    const before = await shelf.get(origin).catch(() => undefined)
    const place = await shelf.put(origin, login)
    // A login that cannot be used any more should not stay valid on the server.
    if (before?.kind === 'given') await server.revoke(before.refresh ?? before.access).catch(() => undefined)
    return place
  })
}

/** A short network failure does not end the login (RFC 8628, 3.5). */
function orLater(error: unknown): 'slow down' {
  if (error instanceof AppError && error.code === 'unavailable') return 'slow down'
  throw error
}

const unanswered = (answer: 'expired' | 'denied'): AppError =>
  answer === 'denied'
    ? new AppError('forbidden', 'The login was denied in the browser.')
    : new AppError('unavailable', 'Sign-in in the browser timed out.', { hint: 'Run `ken auth login` again.' })
