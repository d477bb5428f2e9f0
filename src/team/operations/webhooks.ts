import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import { secretOf, sendToWebhook } from '../deliver-webhook.ts'
import { WEBHOOK_EVENTS } from '../domain/webhook/webhook-news.ts'
import type { ListedWebhook } from '../ports/webhooks.ts'
import { sealing } from '../sealing.ts'
import { namedProject } from './named-in-team.ts'

const MOST_WEBHOOKS = 10
// The specification allows 24 to 64.
const SECRET_BYTES = 32

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  added_by: z.string(),
  added_at: z.string(),
  tried_at: z.string().optional().describe('Last delivery.'),
  fault: z.string().optional().describe('Why the last delivery was not accepted.'),
  waiting: z.number().describe('Deliveries that are pending.'),
  given_up: z.number().describe('Deliveries that failed eight times, of the last 30 days.'),
})

type Row = z.output<typeof webhook>

const rowOf = (one: ListedWebhook): Row => ({
  id: one.id,
  url: one.url,
  events: [...one.events],
  added_by: one.addedBy,
  added_at: one.addedAt,
  ...(one.tried && { tried_at: one.tried.at }),
  ...(one.tried?.fault !== undefined && { fault: one.tried.fault }),
  waiting: one.waiting,
  given_up: one.givenUp,
})

const lineOf = ({ id, url, events, fault, waiting, given_up: givenUp }: Row): string =>
  [
    `${id}  ${url}  ${events.join(', ')}`,
    ...(fault === undefined ? [] : [`  last delivery failed: ${fault}`]),
    ...(waiting + givenUp === 0 ? [] : [`  ${waiting} pending, ${givenUp} given up`]),
  ].join('\n')

const idField = { id: z.string().min(1).max(100).describe('Id of the webhook.') }

const unknown = (): AppError => new AppError('not_found', 'Webhook not found.', { hint: 'List the webhooks.' })

export const webhooks = defineOperation({
  name: 'webhooks',
  title: 'List webhooks',
  summary: 'List a project’s webhooks with the result of their last delivery.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { ...projectField },
  output: { webhooks: z.array(webhook) },
  examples: [{ title: 'The project', input: {} }],
  async run(ctx, { project_id }) {
    const { id } = await namedProject(ctx, project_id)
    return { webhooks: (await ctx.team.webhooks.list(id)).map(rowOf) }
  },
  render: (output) => output.webhooks.map(lineOf).join('\n') || 'No webhooks.',
})

export const webhookAdd = defineOperation({
  name: 'webhook_add',
  title: 'Add a webhook',
  summary: 'Notify an address of changes to decisions. Its signing secret is shown only once.',
  details:
    'Messages follow Standard Webhooks: signed with HMAC-SHA256, retried eight times over two and a half hours, each with an id that stays the same. The address must use https and be on the public network, unless the server operator named its host.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  // An address may contain a secret of its receiver.
  asGiven: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  showsOnce: 'secret',
  input: {
    url: z.string().min(1).max(2_000).describe('Address that receives the messages (https).'),
    events: z
      .array(z.enum(WEBHOOK_EVENTS))
      .min(1)
      .max(WEBHOOK_EVENTS.length)
      .default([...WEBHOOK_EVENTS]),
    ...projectField,
  },
  output: { id: z.string(), secret: z.string().describe('Shown this once.') },
  examples: [
    { title: 'New decisions', input: { url: 'https://hooks.example.com/ken', events: ['decision.recorded'] } },
  ],
  async run(ctx, { url, events, project_id }) {
    const { webhooks: store, webhookSender, contexts, chance, caller, concerns } = ctx.team
    const { id: project } = await namedProject(ctx, project_id)
    const seals = sealing(contexts.seals)
    await webhookSender.assertAllowed(url)
    const [id, addedAt] = [ctx.clock.ulid(), ctx.clock.now().toISOString()]
    const secret = `whsec_${Buffer.from(chance.bytes(SECRET_BYTES)).toString('base64')}`
    // In normal form: what was typed may hold control characters, which other admins would see as they are.
    const added = { id, url: new URL(url).href, events: [...new Set(events)], addedBy: caller.person, addedAt }
    if (!(await store.add(project, { ...added, secret: seals.seal(secret, secretOf(project, id)) }, MOST_WEBHOOKS)))
      throw new AppError('conflict', `A project has at most ${MOST_WEBHOOKS} webhooks.`, { hint: 'Remove one first.' })
    concerns(id)
    return { id, secret }
  },
  render: ({ id }) => `Added ${id}. Its secret is in the answer once.`,
})

export const webhookRemove = defineOperation({
  name: 'webhook_remove',
  title: 'Remove a webhook',
  summary: 'Remove a webhook with its pending deliveries.',
  effect: 'write',
  destructive: true,
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { ...idField, ...projectField },
  output: { id: z.string() },
  examples: [{ title: 'One', input: { id: '01J00000000000000000000001' } }],
  async run(ctx, { id, project_id }) {
    const { webhooks: store, concerns } = ctx.team
    const project = await namedProject(ctx, project_id)
    if (!(await store.remove(project.id, id))) throw unknown()
    concerns(id)
    return { id }
  },
  render: ({ id }) => `Removed ${id}.`,
})

export const webhookTest = defineOperation({
  name: 'webhook_test',
  title: 'Test a webhook',
  summary: 'Send a test message to a webhook now, and show the result.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { ...idField, ...projectField },
  output: { accepted: z.boolean(), fault: z.string().optional() },
  examples: [{ title: 'One', input: { id: '01J00000000000000000000001' } }],
  async run(ctx, { id, project_id }) {
    const { webhooks: store, webhookSender: sender, contexts, concerns } = ctx.team
    const { id: project } = await namedProject(ctx, project_id)
    const kept = await store.find(project, id)
    if (kept === undefined) throw unknown()
    concerns(id)
    const timestamp = ctx.clock.now().toISOString()
    const message = { id: `msg_${ctx.clock.ulid()}`, type: 'webhook.test', timestamp, data: { project: kept.project } }
    try {
      await sendToWebhook({ webhooks: store, sender, seals: contexts.seals, clock: ctx.clock }, kept, message)
      return { accepted: true }
    } catch (thrown) {
      return { accepted: false, fault: toAppError(thrown).line }
    }
  },
  render: ({ accepted, fault = '' }) => (accepted ? 'Accepted.' : fault),
})
