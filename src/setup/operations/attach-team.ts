import { AppError } from '../../kernel/domain/errors.ts'
import { isUlid } from '../../kernel/domain/project/config.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Claim, RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'
import { syncNow } from '../../record/operations/sync-team.ts'
import { SEARCHES_TOLD, serverNamed } from '../../record/operations/team-fields.ts'
import { serverOrigin } from '../../team/domain/server-address.ts'

/** A team project that this machine does not have yet. */
export interface WantedTeamProject {
  readonly id: string
  /** Server named by the user or by the folder. */
  readonly server: string
  /** False if only the folder names the server: its origin is unknown. */
  readonly isNamed: boolean
}

/** Undefined if the input refers to a project on this machine. */
export async function wantedFromTeam(
  ctx: Given,
  { project, server }: { readonly project?: string | undefined; readonly server?: string | undefined },
  claim: Claim | undefined,
): Promise<WantedTeamProject | undefined> {
  const id = project ?? claim?.id
  if (id === undefined || (await ctx.projects.list()).some((known) => known.id === id || known.name === id))
    return undefined
  const ofFolder = claim?.id === id && claim.mode === 'cloud' ? claim.server : undefined
  if (server === undefined && ofFolder === undefined && ctx.settings.get('team.server').value === '') return undefined
  if (!isUlid(id)) {
    if (server === undefined) return undefined
    throw new AppError('invalid_input', 'A team project must be given by its id.', {
      hint: 'The id is in .ken/config.json of a repository that shares it.',
    })
  }
  return server === undefined && ofFolder !== undefined
    ? { id, server: ofFolder, isNamed: false }
    : { id, server: serverNamed(ctx, server), isNamed: true }
}

export interface Attaching {
  readonly project: { readonly id: string; readonly name: string }
  readonly question: string
  /** Registers the project and downloads its record. */
  attach(): Promise<RegisteredProject>
}

/** Queries the server and reports the planned changes; changes nothing yet. */
export async function attachingTeam(
  ctx: Given<'machine' | 'record'>,
  wanted: WantedTeamProject,
  root: string,
): Promise<Attaching> {
  const links = await ctx.teamLinks()
  const server = await links.server(wanted.server, wanted)
  const standing = await server.standing(wanted.id)
  if (standing === undefined)
    throw new AppError('not_found', `You have no such project on ${server.url}.`, {
      hint: 'Ask the person who shared it for its id, and an admin for access.',
    })
  const name =
    visibleLine(standing.name)
      .replaceAll(/[/\\]|\.\.|\p{C}/gu, '-')
      .slice(0, 100) || wanted.id
  const project = { id: wanted.id, name }
  return {
    project,
    question: [
      `${root} would get the record of "${name}" from ${server.url}:`,
      `  You are ${standing.role} there; what you and your agents record here goes to the team.`,
      `  ${SEARCHES_TOLD}`,
      '',
      'Bring it here?',
    ].join('\n'),
    async attach() {
      const hadConfig = (await ctx.projects.claim(root))?.repository === root
      const adopted = await links.adopt(project, { server: server.url, person: standing.person }, root)
      try {
        await syncNow(ctx, adopted)
      } catch (error) {
        // Nothing was downloaded, so the folder is unbound again: the user may want another server.
        await ctx.projects.unbind(adopted.id, root, hadConfig ? 'keep' : 'remove')
        await ctx.projects.remove(adopted.id)
        throw error
      }
      return adopted
    },
  }
}

/** A named server must be the one that the project is bound to here. */
export function refuseOtherServer(project: RegisteredProject, server: string | undefined): void {
  if (server === undefined || project.team?.server === serverOrigin(server)) return
  const bound = project.team === undefined ? 'is this machine’s alone' : `is bound to ${project.team.server} here`
  throw new AppError('conflict', `"${project.name}" ${bound}.`, {
    hint: 'Stop sharing it with `ken unlink`, share it with `ken link`.',
  })
}
