import { Hono } from 'hono'
import { ERROR_TABLE } from '../../../kernel/domain/errors.ts'
import { spellNames } from '../../../kernel/domain/named-operation.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import { FOR_PROGRAMS } from '../../../operations/spelling.ts'
import type { Caller } from '../../../team/domain/may.ts'
import { readPageForm } from '../page-form.ts'
import { plainPage, saying, sendTo } from '../plain-page.ts'

export const FIRST_PROJECT = '/first-project'

export interface FirstProjectOptions {
  readonly publicUrl: string
  callerOf(request: Request): Promise<Caller | undefined>
  /** Creates a project and returns its id. Throws without permission. */
  create(request: Request, caller: Caller, name: string): Promise<string>
  trace?(thrown: unknown): void
}

/** Page for a person without a project: the app has nothing to show before there is one. */
export function buildFirstProjectApp({ publicUrl, callerOf, create, trace }: FirstProjectOptions): Hono {
  const app = new Hono()
  app.get(FIRST_PROJECT, async (c) => ((await callerOf(c.req.raw)) === undefined ? sendTo('/') : page()))
  app.post(FIRST_PROJECT, async (c) => {
    try {
      const form = await readPageForm(c.req.raw, { publicUrl })
      const caller = await callerOf(c.req.raw)
      if (caller === undefined) return sendTo('/')
      return sendTo(`/${await create(c.req.raw, caller, form.one('name'))}`)
    } catch (thrown) {
      trace?.(thrown)
      const error = toAppError(thrown)
      return page(spellNames(error.line, FOR_PROGRAMS), ERROR_TABLE[error.code].http)
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
<p><button class="primary">Create project</button></p></form><p><a href="/account">Your account</a></p>`,
  })
