import { AppError } from '../../kernel/domain/errors.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'

/** The project of a call, for operations that change its registration. */
export async function projectHere(ctx: Given, project?: string | undefined): Promise<RegisteredProject> {
  const found = await ctx.projects.find({ directory: ctx.cwd, ...(project !== undefined && { project }) })
  if (found !== undefined) return found
  throw new AppError(
    'not_found',
    project === undefined
      ? 'Not a Ken project: no .ken folder here or in a parent folder.'
      : `No project named "${project}".`,
    {
      hint: 'Run `ken init` in the repository, or pass --project; `ken projects` lists them.',
    },
  )
}
