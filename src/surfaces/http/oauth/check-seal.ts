import { foreign, type PageForm } from '../page-form.ts'
import type { SignedInPerson } from './oauth-options.ts'
import { isSeal, sealOf } from './secrets.ts'

/** Rejects a form issued to another session or for another purpose. */
export function checkSeal(form: PageForm, person: SignedInPerson, purpose: string, contents: string): void {
  if (!isSeal(form.one('seal'), sealOf(person.sessionSecret, purpose, contents))) throw foreign()
}
