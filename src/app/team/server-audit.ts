import type { Clock } from '../../kernel/ports/clock.ts'
import type { AuditLog } from '../../team/ports/audit-log.ts'

export interface ServerDeed {
  readonly operation: string
  readonly effect?: 'read' | 'write'
  readonly organisation: string
  readonly project?: string
  /** Id of the affected person or thing. */
  readonly subject?: string
}

/** Audits an action on the server machine by a person with database access; the event has no person's name. */
export const auditServer = (log: Pick<AuditLog, 'write'>, clock: Pick<Clock, 'now'>, deed: ServerDeed): Promise<void> =>
  log.write([
    {
      at: clock.now().toISOString(),
      organisation: deed.organisation,
      person: '',
      through: 'server',
      held: undefined,
      operation: deed.operation,
      effect: deed.effect ?? 'write',
      project: deed.project,
      subject: deed.subject,
      outcome: 'ok',
      surface: 'cli',
      client: undefined,
      source: undefined,
    },
  ])
