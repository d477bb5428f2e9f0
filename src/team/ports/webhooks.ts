import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { WebhookEvent } from '../domain/webhook/webhook-news.ts'

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  /** Id of the person. */
  readonly addedBy: string
  readonly addedAt: string
}

export interface KeptWebhook extends Webhook {
  /** Sealed. */
  readonly secret: Uint8Array
  readonly project: { readonly id: string; readonly name: string }
}

export interface ListedWebhook extends Webhook {
  /** The last delivery; no fault if it was accepted. */
  readonly tried?: { readonly at: string; readonly fault?: string }
  /** Deliveries that are pending, and those given up that are still kept. */
  readonly waiting: number
  readonly givenUp: number
}

/** Addresses that a project notifies. Their deliveries are jobs of the kind `webhook-delivery`. */
export interface Webhooks {
  /** Returns false, and adds nothing, if the project has `most` already. */
  add(project: string, webhook: Webhook & { readonly secret: Uint8Array }, most: number): Promise<boolean>
  /** Oldest first. */
  list(project: string): Promise<readonly ListedWebhook[]>
  find(project: string, id: string): Promise<KeptWebhook | undefined>
  /** Also drops its deliveries. Returns false if there is none. */
  remove(project: string, id: string): Promise<boolean>
  /** Stores the result of a delivery. */
  tried(project: string, id: string, tried: NonNullable<ListedWebhook['tried']>): Promise<void>
}

export interface WebhookMessage {
  readonly id: string
  /** JSON. */
  readonly body: string
  /** `whsec_` and the key as base64. */
  readonly secret: string
  readonly at: Date
}

/** Sends messages as Standard Webhooks describes them. Limits time and the size of answers, and follows no redirect. */
export interface WebhookSender {
  /**
   * Throws `invalid_input` for an address that is not https, and `forbidden` for one that is known to be in a private
   * network or on this machine. Hosts that the operator named may be either.
   */
  assertAllowed(url: string): Promise<void>
  /** Throws `unavailable` unless it was accepted (2xx). Checks the address again, as it is when the connection is made. */
  send(url: string, message: WebhookMessage, signal?: StopSignal): Promise<void>
}
