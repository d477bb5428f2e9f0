import type { AnswerTrust } from '../../kernel/domain/trust/trust.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'
import { fileTrust } from '../../record/read-decision.ts'

interface Indexed {
  readonly path: string
  readonly trust: AnswerTrust
}

/**
 * Trust of indexed documents. Documents of a record are checked against the record itself: it may have changed since
 * they were indexed.
 */
export function documentTrust(ctx: Given<'record'>): (document: Indexed) => Promise<AnswerTrust> {
  let projects: Promise<readonly RegisteredProject[]> | undefined
  return async ({ path, trust }) => {
    if (trust !== 'approved') return trust
    const inside = ({ location }: RegisteredProject) =>
      path.startsWith(location) && /^[/\\]/.test(path.slice(location.length))
    const project = (await (projects ??= ctx.projects.list())).find(inside)
    return project === undefined ? 'untrusted' : inRecord(ctx, project, path.slice(project.location.length + 1))
  }
}

async function inRecord(ctx: Given<'record'>, project: RegisteredProject, path: string): Promise<AnswerTrust> {
  if (project.fromClone === true) return 'from the clone'
  try {
    return await fileTrust(await ctx.record(project.id), path.replaceAll('\\', '/'))
  } catch {
    return 'untrusted'
  }
}
