import type { ErrorCode } from '../kernel/domain/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { AuditTrail } from './audit-trail.ts'
import type { AuditEntry } from './domain/audit-entry.ts'
import type { Person } from './domain/person.ts'
import { hashOfSecret } from './domain/token.ts'
import type { People } from './ports/people.ts'
import type { AttemptLimits } from './ports/sign-in.ts'

/** The claimed identity before authentication. */
export interface Claimed {
  readonly person?: string
  readonly email?: string
}

/** Sign-in events, which are not operations: people sign in and out, and authorise programs. */
export interface SignInEvent {
  readonly operation: string
  /** The person; if refused, the claimed identity. */
  readonly who: Claimed
  readonly outcome?: 'ok' | ErrorCode
  /** Id of the session. */
  readonly held?: string | undefined
  /** Id of the grant. */
  readonly subject?: string
  readonly client?: string | undefined
  readonly source: string
}

export interface SignInAudit {
  /** Never throws, and never waits for entries that may be lost. */
  tell(event: SignInEvent): Promise<void>
}

/** Maximum number of refusals recorded per hour: of a flood, only the beginning is recorded. */
const MOST_REFUSED = 1_000
const MOST_REFUSED_FROM_ONE = 20
const LIMIT_MINUTES = 60
const LONGEST_NAME = 100

export interface SignInAuditParts {
  readonly trail: Pick<AuditTrail, 'tell'>
  readonly people: Pick<People, 'find' | 'withAddress'>
  readonly limits: AttemptLimits
  readonly clock: Clock
}

export const openSignInAudit = (parts: SignInAuditParts): SignInAudit => ({
  async tell(event) {
    try {
      if ((event.outcome ?? 'ok') !== 'ok' && !(await isWithin(parts, event.source))) return
      const found = await peopleOf(parts.people, event.who)
      for (const entry of entriesOf(event, found, parts.clock.now())) await parts.trail.tell(entry)
    } catch {
      // Without a database nobody can sign in, and there is nothing to write to.
    }
  },
})

const isWithin = ({ limits, clock }: SignInAuditParts, source: string): Promise<boolean> =>
  limits.count(
    [
      { name: 'refused at the door', most: MOST_REFUSED },
      { name: `refused at the door from ${hashOfSecret(source)}`, most: MOST_REFUSED_FROM_ONE },
    ],
    { now: clock.now().toISOString(), minutes: LIMIT_MINUTES },
  )

async function peopleOf(people: SignInAuditParts['people'], { person, email }: Claimed): Promise<readonly Person[]> {
  if (person !== undefined) return [await people.find(person)].filter((one) => one !== undefined)
  return email === undefined ? [] : people.withAddress(email)
}

/** One entry for each organisation that has the address; one entry without a person if there is none. */
function entriesOf(event: SignInEvent, found: readonly Person[], now: Date): readonly AuditEntry[] {
  const { operation, outcome = 'ok', held, subject, client, source } = event
  return (found.length === 0 ? [{ id: '', organisation: '' }] : found).map(({ id, organisation }) => ({
    at: now.toISOString(),
    organisation,
    person: id,
    through: 'browser',
    held,
    operation,
    effect: 'write',
    project: undefined,
    subject,
    outcome,
    surface: 'app',
    client: client?.slice(0, LONGEST_NAME),
    source,
  }))
}
