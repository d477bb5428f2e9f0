import { Hono } from 'hono'
import { AppError, ERROR_TABLE } from '../../../core/errors.ts'
import { assertMay, type Caller } from '../../../core/team/may.ts'
import { TEAM_ACTIONS } from '../../../core/team/team-actions.ts'
import { toAppError } from '../../../core/to-app-error.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { TeamProjects } from '../../../ports/team-projects.ts'
import { readPageForm } from '../page-form.ts'
import { plainPage, saying } from '../plain-page.ts'
import { sendTo } from '../sign-in/send-to.ts'

export const FIRST_PROJECT = '/first-project'

export interface FirstProjectOptions {
  readonly publicUrl: string
  readonly projects: TeamProjects
  readonly clock: Clock
  callerOf(request: Request): Promise<Caller | undefined>
  trace?(thrown: unknown): void
}

/** For somebody who is in no project: the app has nothing to show before there is one. */
export function buildFirstProjectApp({ publicUrl, projects, clock, callerOf, trace }: FirstProjectOptions): Hono {
  const app = new Hono()
  app.get(FIRST_PROJECT, async (c) => ((await callerOf(c.req.raw)) === undefined ? sendTo('/') : page()))
  app.post(FIRST_PROJECT, async (c) => {
    try {
      const form = await readPageForm(c.req.raw, { publicUrl })
      const caller = await callerOf(c.req.raw)
      if (caller === undefined) return sendTo('/')
      assertMay(caller, { permission: TEAM_ACTIONS.create_project, standing: undefined, input: {} })
      const name = form.one('name').trim()
      if (name === '' || name.length > 200) throw new AppError('invalid_input', 'A name has 1 to 200 characters.')
      const [id, createdAt] = [clock.ulid(), clock.now().toISOString()]
      const { organisation, person } = caller
      await projects.create({ id, organisation, name, access: 'organisation', createdAt }, person)
      return sendTo(`/${id}`)
    } catch (thrown) {
      trace?.(thrown)
      const error = toAppError(thrown)
      return page(error.line, ERROR_TABLE[error.code].http)
    }
  })
  return app
}

const page = (problem?: string, status = 200): Response =>
  plainPage({
    status,
    title: 'The first project',
    body: `${problem === undefined ? saying('You are in no project yet. Ask a colleague to let you into theirs, or begin one.') : saying(problem)}
<form method="post" action="${FIRST_PROJECT}"><label>Name <input type="text" name="name" maxlength="200" required autofocus></label>
<p><button>Begin</button></p></form><p><a href="/account">Your account</a></p>`,
  })
