import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { SCOPES } from '../domain/role.ts'
import type { Token } from '../domain/token.ts'
import { issueToken } from '../issue-token.ts'

const KINDS = ['personal', 'agent'] as const
const USUAL_DAYS = 90

const token = z.object({
  id: z.string(),
  kind: z.enum(KINDS),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  projects: z.array(z.string()).optional().describe('Ids; missing for all your projects.'),
  created_at: z.string(),
  expires_at: z.string(),
  used_at: z.string().optional(),
  state: z.enum(['good', 'expired', 'revoked']),
})

const rowOf = (now: string, one: Token): z.output<typeof token> => ({
  id: one.id,
  kind: one.kind,
  name: one.name,
  scopes: [...one.scopes],
  ...(one.projects !== undefined && { projects: [...one.projects] }),
  created_at: one.createdAt,
  expires_at: one.expiresAt,
  ...(one.usedAt !== undefined && { used_at: one.usedAt }),
  state: one.revokedAt !== undefined ? 'revoked' : one.expiresAt <= now ? 'expired' : 'good',
})

export const tokenCreate = defineOperation({
  name: 'token_create',
  title: 'Make a token',
  summary: 'Create a token for a program or agent. Its secret is shown only once.',
  details: 'A personal token does what you may; one for an agent does what agents are offered as tools.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  showsOnce: 'secret',
  input: {
    name: z.string().trim().min(1).max(100).describe('The machine that uses it, e.g. laptop.'),
    kind: z.enum(KINDS).default('agent'),
    scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).default(['read', 'write']),
    projects: z.array(z.string().max(200)).min(1).max(100).optional().describe('Project ids; default: all of yours.'),
    days: z.number().int().min(1).max(366).default(USUAL_DAYS),
  },
  output: { token, secret: z.string().describe('Shown this once.') },
  examples: [{ title: 'For an agent', input: { name: 'laptop' } }],
  async run(ctx, { projects, ...wanted }) {
    const { tokens, chance, caller, concerns } = ctx.team
    const made = await issueToken({ tokens, chance, clock: ctx.clock }, caller.person, { ...wanted, projects })
    concerns(made.token.id)
    return { token: rowOf(made.token.createdAt, made.token), secret: made.secret }
  },
  render: ({ token: { name, expires_at: until } }) =>
    `${name} is made, until ${until}. Its secret is in the answer once.`,
})

export const tokenList = defineOperation({
  name: 'token_list',
  title: 'List my tokens',
  summary: 'List your tokens, newest first, including expired ones.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {},
  output: { tokens: z.array(token) },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const { tokens, caller } = ctx.team
    const now = ctx.clock.now().toISOString()
    return { tokens: (await tokens.list(caller.person)).map((one) => rowOf(now, one)) }
  },
  render: ({ tokens }) =>
    tokens.length === 0
      ? 'You have no tokens.'
      : tokens
          .map(({ name, kind, state, expires_at: until }) => `${name}  ${kind}  ${state}, until ${until}`)
          .join('\n'),
})

export const tokenRevoke = defineOperation({
  name: 'token_revoke',
  title: 'Revoke a token of mine',
  summary: 'Revoke a token. It stops working immediately.',
  effect: 'write',
  destructive: true,
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { id: z.string().min(1).max(64) },
  output: { token },
  examples: [{ title: 'By id', input: { id: '01K0T0KEN00000000000000001' } }],
  async run(ctx, { id }) {
    const { tokens, caller, concerns } = ctx.team
    const now = ctx.clock.now().toISOString()
    await tokens.revoke(caller.person, [id], now)
    const found = (await tokens.list(caller.person)).find((one) => one.id === id)
    if (found === undefined) throw new AppError('not_found', 'Token not found.')
    concerns(id)
    return { token: rowOf(now, found) }
  },
  render: ({ token: { name } }) => `${name} opens nothing any more.`,
})
