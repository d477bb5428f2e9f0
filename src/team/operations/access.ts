import { z } from 'zod'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { livesAt } from '../authenticate.ts'

const idField = { id: z.string().min(1).max(64) }

export const sessionsList = defineOperation({
  name: 'sessions_list',
  title: 'List my browsers',
  summary: 'List your signed-in browsers, most recently used first.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {},
  output: {
    sessions: z.array(
      z.object({
        id: z.string(),
        browser: z.string().optional(),
        proof: z.string().describe('How you signed in.'),
        entered_at: z.string(),
        used_at: z.string(),
        ends_at: z.string(),
        current: z.boolean().describe('The current one.'),
      }),
    ),
  },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const { sessions, caller } = ctx.team
    const all = await sessions.list(caller.person, livesAt(ctx.clock.now()))
    return {
      sessions: all.map(({ id, browser, proof, enteredAt, usedAt, endsAt }) => ({
        id,
        ...(browser !== undefined && { browser }),
        proof,
        entered_at: enteredAt,
        used_at: usedAt,
        ends_at: endsAt,
        current: id === caller.session,
      })),
    }
  },
  render: ({ sessions }) =>
    sessions
      .map(({ browser, used_at: at, current }) => `${current ? '*' : ' '} ${browser ?? 'A browser'}  ${at}`)
      .join('\n'),
})

export const sessionEnd = defineOperation({
  name: 'session_end',
  title: 'Sign a browser of mine out',
  summary: 'Sign out one of your browsers.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: idField,
  output: idField,
  examples: [{ title: 'By id', input: { id: '01K0SESS10N000000000000001' } }],
  async run(ctx, { id }) {
    const { sessions, caller, concerns } = ctx.team
    const all = await sessions.list(caller.person, livesAt(ctx.clock.now()))
    if (all.some((one) => one.id === id)) concerns(id)
    await sessions.end(caller.person, [id])
    return { id }
  },
  render: () => 'It is signed out.',
})

export const grantsList = defineOperation({
  name: 'grants_list',
  title: 'List clients that I authorized',
  summary: 'List authorized programs (OAuth) and their scopes, newest first.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {},
  output: {
    grants: z.array(
      z.object({
        id: z.string(),
        client: z.string().describe('Its self-reported name.'),
        scopes: z.array(z.string()),
        projects: z.array(z.string()),
        created_at: z.string(),
        ends_at: z.string(),
      }),
    ),
  },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const { authorizations, caller } = ctx.team
    const all = await authorizations.list(caller.person, ctx.clock.now())
    return {
      grants: all.map(({ id, clientName, scopes, projects, createdAt, endsAt }) => ({
        id,
        client: clientName,
        scopes: [...scopes],
        projects: [...projects],
        created_at: createdAt.toISOString(),
        ends_at: endsAt.toISOString(),
      })),
    }
  },
  render: ({ grants }) =>
    grants.length === 0
      ? 'No client is let in.'
      : grants.map(({ client, ends_at: at }) => `${client}  until ${at}`).join('\n'),
})

export const grantRevoke = defineOperation({
  name: 'grant_revoke',
  title: 'Shut a client of mine out',
  summary: 'Revoke a program’s authorization. Its tokens stop working immediately.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: idField,
  output: idField,
  examples: [{ title: 'By id', input: { id: '01K0GRANT00000000000000001' } }],
  async run(ctx, { id }) {
    const { authorizations, caller, concerns } = ctx.team
    const all = await authorizations.list(caller.person, ctx.clock.now())
    if (all.some((one) => one.id === id)) concerns(id)
    await authorizations.revoke({ grant: id, person: caller.person })
    return { id }
  },
  render: () => 'It is shut out.',
})
