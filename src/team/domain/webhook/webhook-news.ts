import { cleanOriginText, isOfPerson } from '../../../kernel/domain/origin.ts'
import { isUlid } from '../../../kernel/domain/project/config.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import type { JournalEvent } from '../../../record/domain/journal/event.ts'
import { newsOfEvent } from '../../../record/domain/journal/news-of-event.ts'

/** Events that a webhook can be added for. */
export const WEBHOOK_EVENTS = [
  'decision.recorded',
  'decision.accepted',
  'decision.updated',
  'decision.superseded',
] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** A change to notify of. Read from the journal when it is sent: the queue has only the id. */
export interface WebhookNews {
  /**
   * The same for every delivery and every receiver, even after a redaction renamed the decision; letters, digits and
   * `_`, because it is sent as a header.
   */
  readonly id: string
  readonly type: WebhookEvent
  /** ISO. */
  readonly at: string
  /** Stem of the decision. */
  readonly decision: string
  /** Stem of its successor. */
  readonly successor?: string
  /** Id of the person. */
  readonly person?: string
  readonly agent?: string
}

/** Messages of one change. */
export const MOST_NEWS = 1_000

const LONGEST_STEM = 300

/** What a change of a record is notified as. Events may come from another machine, so every value may be anything. */
export function webhookNews(project: string, event: JournalEvent): readonly WebhookNews[] {
  const { operation, facts } = event
  const found = newsOfEvent({ operation, facts: facts ?? {} })
    .filter(({ kind, ref }) => kind === 'decision' && ref !== undefined)
    .flatMap(({ did, ref, others }) => [
      { type: `decision.${did}` as WebhookEvent, decision: ref!, successor: undefined },
      ...others.map((other) => ({ type: 'decision.superseded' as const, decision: other, successor: ref! })),
    ])
  return found
    .slice(0, MOST_NEWS)
    .map((news, place) => ({ ...news, id: idOf([project, event.id, news.type, String(place)]) }))
    .filter(
      ({ decision, successor = '', type }) => WEBHOOK_EVENTS.includes(type) && isStem(decision) && isStem(successor),
    )
    .map(({ id, type, decision, successor }) => ({
      id,
      at: timeOf(event.at),
      type,
      decision,
      ...(successor !== undefined && { successor }),
      ...sourceOf(event.origin),
    }))
}

const idOf = (parts: readonly string[]): string => `msg_${sha256(parts.join('\n')).slice(0, 32)}`

/** One line of text. */
const isStem = (text: string): boolean => text.length <= LONGEST_STEM && !/[\p{Cc}\p{Cs}]/u.test(text)

const timeOf = (at: unknown): string => {
  const time = typeof at === 'string' ? new Date(at) : new Date(Number.NaN)
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString()
}

function sourceOf(origin: JournalEvent['origin'] | null | undefined): Pick<WebhookNews, 'person' | 'agent'> {
  const { user, client } = origin ?? {}
  const isAgent = typeof client === 'string' && !isOfPerson(origin!)
  return {
    ...(typeof user === 'string' && isUlid(user) && { person: user }),
    ...(isAgent && { agent: cleanOriginText(client).toWellFormed() }),
  }
}
