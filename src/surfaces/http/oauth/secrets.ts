import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { foreign, type PageForm } from '../page-form.ts'
import type { SignedInPerson } from './oauth-options.ts'

/** 256 random bits with a prefix for their kind, so that a leaked one can be identified. */
export const newSecret = (kind: 'ken_code' | 'ken_access' | 'ken_refresh' | 'ken_device'): string =>
  `${kind}_${randomBytes(32).toString('base64url')}`

/** Seal that proves that a page was issued to this session with exactly these contents. */
export const sealOf = (sessionSecret: string, purpose: string, contents: string): string =>
  createHmac('sha256', `ken oauth page\0${sessionSecret}`).update(`${purpose}\0${contents}`).digest('base64url')

function isSeal(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Rejects a form issued to another session or for another purpose. */
export function checkSeal(form: PageForm, person: SignedInPerson, purpose: string, contents: string): void {
  if (!isSeal(form.one('seal'), sealOf(person.sessionSecret, purpose, contents))) throw foreign()
}
