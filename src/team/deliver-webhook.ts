import type { StopSignal } from '../kernel/domain/stop.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Redactor } from '../kernel/ports/redactor.ts'
import type { Seals } from '../kernel/ports/seals.ts'
import { decisionNumber } from '../record/domain/decision/decision-id.ts'
import type { JournalEvent } from '../record/domain/journal/event.ts'
import type { Store } from '../record/ports/store.ts'
import { webhookNews, type WebhookNews } from './domain/webhook/webhook-news.ts'
import type { People } from './ports/people.ts'
import type { KeptWebhook, Webhooks, WebhookSender } from './ports/webhooks.ts'
import { sealing } from './sealing.ts'

export interface WebhookParts {
  readonly webhooks: Pick<Webhooks, 'tried'>
  readonly sender: WebhookSender
  readonly seals: Seals | undefined
  readonly clock: Pick<Clock, 'now'>
}

export interface DeliveryParts extends WebhookParts {
  readonly webhooks: Pick<Webhooks, 'find' | 'tried'>
  readonly people: Pick<People, 'find'>
  readonly redactor: Redactor
  readonly publicUrl: string
  openRecord(project: string): Store
  /** An event of a record; undefined if it has none of this id. */
  eventOf(project: string, id: string): Promise<JournalEvent | undefined>
}

export interface Delivery {
  readonly project: string
  readonly webhook: string
  /** Id of the event of the change. */
  readonly event: string
  /** Id of the message. */
  readonly news: string
}

/**
 * Notifies a webhook of one change. Does nothing if the webhook or the change no longer exists; throws if the message
 * was not accepted.
 */
export async function deliverWebhook(
  parts: DeliveryParts,
  { project, webhook, event: eventId, news: id }: Delivery,
  signal?: StopSignal,
): Promise<void> {
  const [kept, event] = await Promise.all([parts.webhooks.find(project, webhook), parts.eventOf(project, eventId)])
  const news = event && webhookNews(project, event).find((one) => one.id === id)
  if (kept === undefined || news === undefined) return
  const data = {
    project: kept.project,
    decision: await describe(parts, project, news.decision),
    ...(news.successor !== undefined && { superseded_by: await describe(parts, project, news.successor) }),
    by: await sourceOf(parts, news),
  }
  await sendToWebhook(parts, kept, { id: news.id, type: news.type, timestamp: news.at, data }, signal)
}

/** The purpose that a webhook's secret is sealed for. */
export const secretOf = (project: string, webhook: string): string => `webhook ${project} ${webhook}`

interface Message {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: object
}

/** Sends one message and stores the result, which an admin sees. */
export async function sendToWebhook(
  { webhooks, sender, seals, clock }: WebhookParts,
  { id: webhook, url, secret: sealed, project }: KeptWebhook,
  { id, ...message }: Message,
  signal?: StopSignal,
): Promise<void> {
  const at = clock.now()
  try {
    const secret = sealing(seals).open(sealed, secretOf(project.id, webhook))
    await sender.send(url, { id, body: JSON.stringify(message), secret, at }, signal)
  } catch (thrown) {
    // A stopped delivery did not fail: another replica continues it.
    if (!signal?.aborted)
      await webhooks.tried(project.id, webhook, { at: at.toISOString(), fault: toAppError(thrown).message })
    throw thrown
  }
  await webhooks.tried(project.id, webhook, { at: at.toISOString() })
}

/** A decision as it is now; `removed` if it was undone or deleted meanwhile. */
async function describe({ openRecord, redactor, publicUrl }: DeliveryParts, project: string, stem: string) {
  const { decisions, identities } = await openRecord(project).catalogue()
  const ids = identities?.().ids
  const id = ids?.get(stem)
  // A merge may have renumbered it since.
  const entry = decisions.find((one) => one.stem === stem) ?? decisions.find((one) => id && ids?.get(one.stem) === id)
  const number = entry?.num ?? decisionNumber(stem)
  const known = { ...(id !== undefined && { id }), ...(number !== undefined && { number }) }
  if (entry === undefined) return { ...known, status: 'removed' }
  const { text: title } = await redactor.redact(entry.title)
  const isProposed = entry.status === 'active' && entry.trust === 'proposed by an agent'
  return {
    ...known,
    title,
    status: isProposed ? 'proposed' : entry.status,
    url: `${publicUrl}/${project}/decisions/${entry.num}`,
  }
}

async function sourceOf({ people }: DeliveryParts, { person, agent }: WebhookNews) {
  const found = person === undefined ? undefined : await people.find(person)
  return { ...(found && { name: found.name }), ...(agent !== undefined && { agent }) }
}
