import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import type { TeamMemory } from '../../team/ports/team-memory.ts'

/** A team with a memory relevant to a call. */
export interface AskedTeam {
  readonly server: string
  readonly project: string
  /** Undefined if the user turned team memory off, or is not logged in. */
  open(): Promise<TeamMemory | undefined>
}

/**
 * The team of the linked project in a scope, preferring the current project; for all workspaces, the team of the
 * current project. Undefined if a scope contains no linked project, or only several elsewhere.
 */
export async function teamAsked(ctx: Given, within: SearchScope['within']): Promise<AskedTeam | undefined> {
  const { teamMemory } = ctx
  if (teamMemory === undefined || within?.projects.length === 0) return undefined
  const here = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
  const isMeant = ({ id }: RegisteredProject): boolean => within === undefined || within.projects.includes(id)
  const project = here !== undefined && isMeant(here) ? here : await onlyLinked(ctx, within)
  if (project?.team === undefined || project.fromClone === true) return undefined
  return { server: project.team.server, project: project.id, open: () => teamMemory(project) }
}

async function onlyLinked(ctx: Given, within: SearchScope['within']): Promise<RegisteredProject | undefined> {
  if (within === undefined) return undefined
  const [only, ...more] = (await ctx.projects.list()).filter(
    ({ id, team }) => team !== undefined && within.projects.includes(id),
  )
  return more.length === 0 ? only : undefined
}
