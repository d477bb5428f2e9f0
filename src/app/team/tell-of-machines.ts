import type { ErrorCode } from '../../kernel/domain/errors.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { AuditTrail } from '../../team/audit-trail.ts'
import type { Caller } from '../../team/domain/may.ts'

export interface MachineParts {
  readonly trail: Pick<AuditTrail, 'tell'>
  readonly clock: Clock
  sourceOf(request: Request): string
}

/** Audits what a person's machine does with a record or a memory outside of operations. */
export const tellOfMachines =
  ({ trail, clock, sourceOf }: MachineParts) =>
  (
    { request, caller, project }: { readonly request: Request; readonly caller: Caller; readonly project: string },
    { operation, outcome }: { readonly operation: string; readonly outcome: 'ok' | ErrorCode },
  ): Promise<void> =>
    trail.tell({
      at: clock.now().toISOString(),
      organisation: caller.organisation,
      person: caller.person,
      through: caller.through,
      held: caller.held,
      operation,
      effect: 'write',
      // A refused project name is unverified text from the caller.
      project: outcome === 'ok' ? project : undefined,
      subject: undefined,
      outcome,
      surface: 'http',
      client: undefined,
      source: sourceOf(request),
    })
