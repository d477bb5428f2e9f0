import { secretRedactor } from '../../kernel/domain/secrets/redact.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { Seals } from '../../kernel/ports/seals.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { PostgresStores } from '../../record/store/postgres/index.ts'
import { openWebhookSender } from '../../team/adapters/guarded-webhook-sender.ts'
import { deliverWebhook, type Delivery } from '../../team/deliver-webhook.ts'
import type { People } from '../../team/ports/people.ts'
import type { Webhooks, WebhookSender } from '../../team/ports/webhooks.ts'
import { openWebhooks } from '../../team/webhooks/postgres/index.ts'
import type { JobHandler } from '../run-jobs.ts'
import type { Environment } from '../settings.ts'

export interface TeamWebhooks {
  readonly store: Webhooks
  readonly sender: WebhookSender
  /** The handler of deliveries, with links to the server at this address. */
  deliver(publicUrl: string): JobHandler
}

interface Given {
  readonly clock: Clock
  readonly environment: Environment
  readonly people: People
  readonly seals: Seals | undefined
  readonly stores: Pick<PostgresStores, 'event' | 'open'>
}

export function openTeamWebhooks(database: SqlDatabase, { environment, stores, ...given }: Given): TeamWebhooks {
  const hosts = (environment['KEN_WEBHOOK_HOSTS'] ?? '').split(',').flatMap((host) => host.trim() || [])
  const [store, sender] = [openWebhooks(database), openWebhookSender({ hosts })]
  return {
    store,
    sender,
    deliver: (publicUrl) => (job, signal) => {
      const parts = {
        ...given,
        webhooks: store,
        sender,
        redactor: secretRedactor,
        publicUrl,
        openRecord: (id: string) => stores.open({ id, name: '', mode: 'cloud', location: '' }, { forOneCall: true }),
        eventOf: (project: string, id: string) => stores.event(project, id),
      }
      return deliverWebhook(parts, { ...(job.payload as Omit<Delivery, 'project'>), project: job.project }, signal)
    },
  }
}
