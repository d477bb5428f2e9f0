import type { SqlDatabase, SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { JournalEvent } from '../../../record/domain/journal/event.ts'
import { MOST_NEWS, webhookNews, type WebhookEvent } from '../../domain/webhook/webhook-news.ts'
import type { Webhook, Webhooks } from '../../ports/webhooks.ts'

interface WebhookRow {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly set_by: string
  readonly set_at: string
}

interface ListedRow extends WebhookRow {
  readonly tried_at: string | null
  readonly fault: string | null
  readonly waiting: number
  readonly given_up: number
}

export function openWebhooks(database: SqlDatabase): Webhooks {
  const ask = <Row extends object>(project: string, text: string, values: readonly SqlValue[]) =>
    database.transaction({ project }, (sql) => sql.query<Row>(text, values))
  return {
    async add(project, { id, url, events, secret, addedBy, addedAt }, most) {
      const values = [project, id, url, JSON.stringify(events), secret, addedBy, addedAt, most]
      return (await ask(project, ADD, values)).length > 0
    },
    async list(project) {
      const rows = await ask<ListedRow>(project, LIST, [project])
      return rows.map(({ tried_at: at, fault, waiting, given_up: givenUp, ...row }) => ({
        ...webhookOf(row),
        ...(at !== null && { tried: { at, ...(fault !== null && { fault }) } }),
        waiting,
        givenUp,
      }))
    },
    async find(project, id) {
      const [row] = await database.transaction(
        'server',
        (sql) => sql.query<WebhookRow & { readonly secret: Uint8Array; readonly name: string }>(FIND, [project, id]),
        { readOnly: true },
      )
      return row && { ...webhookOf(row), secret: row.secret, project: { id: project, name: row.name } }
    },
    remove: (project, id) =>
      database.transaction({ project }, async (sql) => {
        const gone = await sql.query('DELETE FROM ken.webhooks WHERE project = $1 AND id = $2 RETURNING id', [
          project,
          id,
        ])
        if (gone.length > 0)
          await sql.query(`DELETE FROM ken.jobs job WHERE project = $1 AND ${ofWebhook('$2')}`, [project, id])
        return gone.length > 0
      }),
    async tried(project, id, { at, fault }) {
      const set = 'UPDATE ken.webhooks SET tried_at = $3, fault = $4 WHERE project = $1 AND id = $2'
      await ask(project, set, [project, id, at, fault ?? null])
    },
  }
}

const webhookOf = ({ id, url, events, set_by: addedBy, set_at: addedAt }: WebhookRow): Webhook => ({
  id,
  url,
  events,
  addedBy,
  addedAt,
})

/** Condition for the deliveries of a webhook. */
const ofWebhook = (id: string): string => `job.kind = 'webhook-delivery' AND starts_with(job.key, ${id} || '_')`

const ADD = `
  INSERT INTO ken.webhooks (project, id, url, events, secret, set_by, set_at)
  SELECT $1, $2, $3, $4::text::jsonb, $5, $6, $7::timestamptz
  WHERE (SELECT count(*) FROM ken.webhooks WHERE project = $1) < $8::int RETURNING id`

const FIND = `
  SELECT w.id, w.url, w.events, w.set_by, w.set_at, w.secret, p.name
  FROM ken.webhooks w JOIN ken.projects p ON p.id = w.project WHERE w.project = $1 AND w.id = $2`

const LIST = `
  SELECT w.id, w.url, w.events, w.set_by, w.set_at, w.tried_at, w.fault, job.waiting, job.given_up
  FROM ken.webhooks w, LATERAL (
    SELECT count(*) FILTER (WHERE laid_aside_at IS NULL) AS waiting,
      count(*) FILTER (WHERE laid_aside_at IS NOT NULL) AS given_up
    FROM ken.jobs job WHERE job.project = w.project AND ${ofWebhook('w.id')}
  ) job WHERE w.project = $1 ORDER BY w.id`

/**
 * Statement that queues the deliveries of a change, for its transaction: the change and its deliveries are committed
 * together or not at all. Undefined if nobody can want to know of it.
 */
export function queueDeliveries(
  project: string,
  events: readonly JournalEvent[],
): { readonly text: string; readonly values: readonly SqlValue[] } | undefined {
  const news: { readonly id: string; readonly type: WebhookEvent; readonly event: string }[] = []
  // The newest first: they are what a receiver can still act on.
  for (const event of events.toReversed()) {
    if (news.length >= MOST_NEWS) break
    for (const { id, type } of webhookNews(project, event)) news.push({ id, type, event: event.id })
  }
  return news.length === 0 ? undefined : { text: QUEUE, values: [project, JSON.stringify(news.slice(0, MOST_NEWS))] }
}

// A delivery exists once per webhook and message, however often the same lines arrive. It has ids only: names and
// titles stay out of the queue, where a redaction would not find them.
const QUEUE = `
  WITH queued AS (
    INSERT INTO ken.jobs (project, id, kind, key, payload, put_at, due_at)
    SELECT $1, w.id || '_' || n.id, 'webhook-delivery', w.id || '_' || n.id,
      jsonb_build_object('webhook', w.id, 'event', n.event, 'news', n.id)::text, clock_timestamp(), clock_timestamp()
    FROM jsonb_to_recordset($2::text::jsonb) AS n(id text, type text, event text)
    JOIN ken.webhooks w ON w.project = $1 AND w.events ? n.type
    ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT pg_notify('ken_jobs', 'webhook-delivery') FROM queued LIMIT 1`
