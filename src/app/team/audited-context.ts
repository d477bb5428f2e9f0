import type { AuditTrail } from '../../team/audit-trail.ts'
import { teamContext, type ServerContext, type TeamCall, type TeamParts } from './team-context.ts'

/** A context that audits every call: its caller, program, origin, project and outcome. */
export function auditedContext(
  parts: TeamParts,
  { caller, origin, projects, key }: TeamCall,
  { trail, source }: { readonly trail: AuditTrail; readonly source: string | undefined },
): ServerContext {
  let [project, subject]: (string | undefined)[] = []
  const context = teamContext(parts, {
    caller,
    origin,
    key,
    concerns: (id) => {
      subject = id
    },
    projects: {
      ...projects,
      async find(wanted) {
        const found = await projects.find(wanted)
        project = found?.id ?? project
        return found
      },
    },
  })
  return {
    ...context,
    audit: ({ name, effect }, outcome) =>
      trail.tell({
        at: parts.clock.now().toISOString(),
        organisation: caller.organisation,
        person: caller.person,
        through: caller.through,
        held: caller.held,
        operation: name,
        effect,
        project,
        subject,
        outcome,
        surface: origin.surface,
        client: origin.client?.slice(0, LONGEST_NAME),
        source,
      }),
  }
}

// Limited because a program chooses its own name.
const LONGEST_NAME = 100
