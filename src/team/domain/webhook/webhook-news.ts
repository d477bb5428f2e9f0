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

/** A change to notify of, by ids: names and titles are added when it is sent, so that none is kept in the queue. */
export interface WebhookNews {
  /** The same for every delivery and every receiver; letters, digits and `_`, because it is sent as a header. */
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
    .filter(
      ({ decision, successor = '', type }) => WEBHOOK_EVENTS.includes(type) && isStem(decision) && isStem(successor),
    )
  return found.map((news) => ({
    id: `msg_${sha256([project, event.id, news.type, news.decision].join('\n')).slice(0, 32)}`,
    at: timeOf(event.at),
    type: news.type,
    decision: news.decision,
    ...(news.successor !== undefined && { successor: news.successor }),
    ...sourceOf(event.origin),
  }))
}

/** Without characters that a database does not store: they would fail the change itself. */
const isStem = (text: string): boolean => text.length <= LONGEST_STEM && !/[\p{Cc}\p{Cs}]/u.test(text)

const timeOf = (at: unknown): string => {
  const time = typeof at === 'string' ? new Date(at) : new Date(Number.NaN)
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString()
}

function sourceOf(origin: JournalEvent['origin'] | undefined): Pick<WebhookNews, 'person' | 'agent'> {
  const { user, client } = origin ?? {}
  const isAgent = origin !== undefined && !isOfPerson(origin) && typeof client === 'string'
  return {
    ...(typeof user === 'string' && isUlid(user) && { person: user }),
    ...(isAgent && { agent: cleanOriginText(client).toWellFormed() }),
  }
}
