import { z } from 'zod'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { ROLES } from '../domain/role.ts'
import { invite } from '../invite.ts'

export const peopleInvite = defineOperation({
  name: 'people_invite',
  title: 'Invite a person',
  summary: 'Invite a person by e-mail. Replaces an earlier invitation.',
  details: 'An invitation contains no credential: the invited person signs in by proving that they own the address.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { email: z.string().min(3).max(254), role: z.enum(ROLES).default('member') },
  output: {
    id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    expires_at: z.string(),
    mailed: z.boolean().describe('Whether an e-mail was sent.'),
    next: z.string().describe('How they join.'),
  },
  examples: [{ title: 'A member', input: { email: 'ada@example.com' } }],
  async run(ctx, { email, role }) {
    const desk = ctx.team
    const { caller } = desk
    const by = await desk.people.find(caller.person)
    const made = await invite(
      { ...desk, clock: ctx.clock },
      { organisation: caller.organisation, by: by && { id: by.id, email: by.email }, email, role },
    )
    const { invitation, mailed, next } = made
    desk.concerns(invitation.id)
    return { id: invitation.id, email: invitation.email, role, expires_at: invitation.expiresAt, mailed, next }
  },
  render: ({ email, role, next }) => `${email} is invited as ${role}. ${next}`,
})

export const invitationsList = defineOperation({
  name: 'invitations_list',
  title: 'List invitations',
  summary: 'List pending invitations, newest first.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {},
  output: {
    invitations: z.array(
      z.object({
        id: z.string(),
        email: z.string(),
        role: z.enum(ROLES),
        invited_by: z.string().optional(),
        created_at: z.string(),
        expires_at: z.string(),
      }),
    ),
  },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const { invitations, caller } = ctx.team
    const all = await invitations.list(caller.organisation, ctx.clock.now().toISOString())
    return {
      invitations: all.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => ({
        id,
        email,
        role,
        ...(invitedBy !== undefined && { invited_by: invitedBy }),
        created_at: createdAt,
        expires_at: expiresAt,
      })),
    }
  },
  render: ({ invitations }) =>
    invitations.length === 0
      ? 'No invitation stands.'
      : invitations.map(({ email, role, expires_at: until }) => `${email}  ${role}  until ${until}`).join('\n'),
})

export const invitationWithdraw = defineOperation({
  name: 'invitation_withdraw',
  title: 'Withdraw an invitation',
  summary: 'Withdraw an invitation.',
  effect: 'write',
  destructive: true,
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { id: z.string().min(1).max(64) },
  output: { id: z.string() },
  examples: [{ title: 'By id', input: { id: '01K0INV1TAT10N000000000001' } }],
  async run(ctx, { id }) {
    const { invitations, caller, concerns } = ctx.team
    const standing = await invitations.list(caller.organisation, ctx.clock.now().toISOString())
    if (standing.some((one) => one.id === id)) concerns(id)
    await invitations.withdraw(caller.organisation, id)
    return { id }
  },
  render: () => 'The invitation is withdrawn.',
})
