import type { Clock } from '../kernel/ports/clock.ts'
import type { Person } from './domain/person.ts'
import type { Invitations, People } from './ports/people.ts'

/** A person who has an address, or an open invitation for it. */
export interface Seat {
  /** Id of the person or of the invitation. */
  readonly id: string
  readonly organisation: string
  readonly isInvitation: boolean
}

export interface SeatParts {
  readonly people: People
  readonly invitations: Invitations
  readonly clock: Clock
}

/** The memberships that belong to a proven address; `chosen` selects one. */
export async function seatsOf(
  { people, invitations, clock }: SeatParts,
  email: string,
  chosen: string | undefined,
): Promise<readonly Seat[]> {
  const here = await people.withAddress(email)
  const invited = await invitations.standingFor(email, clock.now().toISOString())
  const seats = [
    ...here.map(({ id, organisation }) => ({ id, organisation, isInvitation: false })),
    ...invited.map(({ id, organisation }) => ({ id, organisation, isInvitation: true })),
  ]
  return chosen === undefined ? seats : seats.filter(({ id }) => id === chosen)
}

/** Returns the person. Accepts only the chosen invitation, because anyone may invite an address. */
export async function takeSeat(
  { people, invitations, clock }: SeatParts,
  email: string,
  { id, organisation, isInvitation }: Seat,
): Promise<Person | undefined> {
  const all = isInvitation
    ? await invitations.accept({ email, name: nameFrom(email), at: clock.now().toISOString(), only: id })
    : await people.withAddress(email)
  return all.find((person) => person.organisation === organisation)
}

/** Placeholder until the person sets a name. */
export const nameFrom = (email: string): string => email.slice(0, email.indexOf('@'))
