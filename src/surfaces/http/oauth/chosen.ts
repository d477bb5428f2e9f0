import { AppError } from '../../../kernel/domain/errors.ts'
import { GRANT_LIVES } from '../../../team/domain/oauth/lifetimes.ts'
import type { Scope, Grant } from '../../../team/domain/oauth/scopes.ts'
import type { PageForm } from '../page-form.ts'
import type { OAuthOptions, SignedInPerson } from './oauth-options.ts'

export interface Asked {
  readonly client: string
  readonly clientName: string
  readonly resource: string
  readonly scopes: readonly Scope[]
  readonly isLasting: boolean
}

/** The person's grant for a request: never more than requested, and only for their own projects. */
export function grantChosen(
  form: PageForm,
  {
    person,
    asked,
    clock,
  }: { readonly person: SignedInPerson; readonly asked: Asked; readonly clock: OAuthOptions['clock'] },
): Grant {
  const scopes = asked.scopes.filter((scope) => form.all('scope').includes(scope))
  const wanted = new Set(form.all('project'))
  const projects = person.projects.filter(({ id }) => wanted.has(id)).map(({ id }) => id)
  if (projects.length !== wanted.size) throw new AppError('forbidden', 'You are not a member of one of these projects.')
  if (scopes.length === 0 || projects.length === 0)
    throw new AppError('invalid_input', 'Nothing selected.', {
      hint: 'Go back and select at least one permission and one project.',
    })
  const now = clock.now()
  return {
    ...asked,
    id: clock.ulid(),
    person: person.id,
    scopes,
    projects,
    createdAt: now,
    endsAt: new Date(now.getTime() + GRANT_LIVES),
  }
}
