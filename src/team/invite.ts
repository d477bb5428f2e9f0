import type { Clock } from '../kernel/ports/clock.ts'
import { emailAddress } from './domain/email-address.ts'
import type { Invitation } from './domain/person.ts'
import type { Role } from './domain/role.ts'
import { hashOfSecret } from './domain/token.ts'
import type { Mailer } from './ports/mailer.ts'
import type { Invitations } from './ports/people.ts'
import type { AttemptLimits } from './ports/sign-in.ts'

export interface InviteParts {
  readonly invitations: Invitations
  readonly clock: Clock
  readonly mailer: Mailer | undefined
  /** Undefined for the operator of the server. */
  readonly limits: AttemptLimits | undefined
  readonly publicUrl: string
}

export interface Invited {
  readonly invitation: Invitation
  readonly mailed: boolean
  /** How the invited person signs in, shown to the person who invited them. */
  readonly next: string
}

const LIVES_MS = 14 * 24 * 60 * 60_000
/** Mails per day: any address can be invited, by every organisation on a server. */
const [MOST_TO_ADDRESS, MOST_OF_ORGANISATION, DAY_MINUTES] = [3, 500, 24 * 60]

/** Invites an address, by mail if the server sends mail; the invitation stays valid if the mail fails. */
export async function invite(
  { invitations, clock, mailer, limits, publicUrl }: InviteParts,
  wanted: {
    readonly organisation: string
    /** Undefined for the operator of the server. */
    readonly by: { readonly id: string; readonly email: string } | undefined
    readonly email: string
    readonly role: Role
  },
): Promise<Invited> {
  const email = emailAddress(wanted.email)
  const now = clock.now()
  const invitation: Invitation = {
    id: clock.ulid(),
    organisation: wanted.organisation,
    email,
    role: wanted.role,
    invitedBy: wanted.by?.id,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + LIVES_MS).toISOString(),
  }
  await invitations.invite(invitation)
  const byHand = `Tell them to sign in at ${publicUrl} with this address, until ${invitation.expiresAt.slice(0, 10)}.`
  if (mailer === undefined) return { invitation, mailed: false, next: `This server sends no mail. ${byHand}` }
  const buckets = [
    { name: `invitation to ${hashOfSecret(email)}`, most: MOST_TO_ADDRESS },
    { name: `invitations of ${wanted.organisation}`, most: MOST_OF_ORGANISATION },
  ]
  if ((await limits?.count(buckets, { now: invitation.createdAt, minutes: DAY_MINUTES })) === false)
    return { invitation, mailed: false, next: `There were too many mails today. ${byHand}` }
  const mailed = await mailer
    .send({ to: email, subject: 'You are invited to a team on Ken', text: letter(invitation, wanted.by, publicUrl) })
    .then(
      () => true,
      () => false,
    )
  return {
    invitation,
    mailed,
    next: mailed ? 'A mail tells them where to sign in.' : `No mail could be sent. ${byHand}`,
  }
}

const letter = (
  { email, role, expiresAt }: Invitation,
  by: { readonly email: string } | undefined,
  publicUrl: string,
): string =>
  [
    `${by === undefined ? 'Whoever runs this server' : by.email} invites you to a team on Ken, as ${role}.`,
    '',
    `Sign in at ${publicUrl} with this address, ${email}, until ${expiresAt.slice(0, 10)}.`,
    '',
    'Nothing in this mail opens anything by itself. If you expected no invitation, leave it.',
    '',
  ].join('\n')
