import type { ContextProject } from '../../context/ports/context-project.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import type { TeamNeeds } from '../../team/ports/team-needs.ts'
import type { TeamAnalyst } from './open-team-analyst.ts'

type AnalystContext = Pick<
  Context,
  | 'analystState'
  | 'spent'
  | 'turns'
  | 'storyLease'
  | 'charts'
  | 'pagePrinter'
  | 'models'
  | 'modelKeys'
  | 'settings'
  | 'contextProject'
> &
  Pick<TeamNeeds, 'oversight'>

/**
 * The analyst's dependencies on a server. `here` returns the project of the call, and rejects callers without the
 * permission.
 */
export function analystContext(
  analyst: TeamAnalyst,
  { person, here }: { readonly person: string; here(): Promise<{ readonly id: string }> },
): AnalystContext {
  const analystState: Context['analystState'] = async () => analyst.stateOf({ project: (await here()).id, person })
  // A question that began with one version of the context ends with the same version.
  let context: Promise<ContextProject> | undefined
  return {
    analystState,
    // Always the project of the call: the caller must not learn the costs of others.
    async spent({ since, project }) {
      const { id } = await here()
      return analyst
        .stateOf('server')
        .calls.spent({ since, ...(project === undefined ? { user: person } : { project: id }) })
    },
    oversight: async () => analyst.oversightOf({ project: (await here()).id, person }),
    turns: analyst.turns.of(analystState),
    storyLease: (story) => analyst.leases.tryTake(`story ${story}`),
    charts: async () => (await import('../../analyst/chart/index.ts')).openEchartsPainter(),
    pagePrinter: async () => (await import('../../analyst/page-printer/index.ts')).pdfkitPrinter,
    models: analyst.models,
    settings: analyst.settings,
    modelKeys: { list: async () => ({ keys: [] }), set: ofTheServer, remove: ofTheServer },
    async contextProject(folder, texts) {
      const { id } = await here()
      if (texts !== undefined || (folder !== undefined && folder !== `/${id}`))
        throw new AppError('not_found', 'Not available on a team server.', {
          hint: 'Only an admin can set the context repository.',
        })
      return (context ??= analyst.contextOf(id))
    },
  }
}

const ofTheServer = async (): Promise<never> => {
  throw new AppError('forbidden', 'Server keys are set by the server’s operator.')
}
