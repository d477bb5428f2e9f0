import { AppError } from '../../../kernel/domain/errors.ts'
import { pageText } from '../../../kernel/domain/lone-page.ts'
import { readUserCode, showUserCode } from '../../../team/domain/oauth/device-code.ts'
import { refusedWith } from '../../../team/domain/oauth/oauth-refusal.ts'
import type { DeviceLogin } from '../../../team/ports/device-logins.ts'
import { readPageForm, type PageForm } from '../page-form.ts'
import { plainPage, saying, sendTo } from '../plain-page.ts'
import { grantChosen } from './chosen.ts'
import { BUTTONS, choices } from './consent-page.ts'
import { userHashOf } from './device.ts'
import { keepWithin } from './keep-within.ts'
import type { OAuthOptions, SignedInPerson } from './oauth-options.ts'
import { sealOf, checkSeal } from './secrets.ts'

const TYPE = 'device code'
const ANSWER = 'device answer'
// There are 20 to the 8th codes: a lifetime of guessing does not find one.
const GUESSES = { most: 10, minutes: 10 }

/** The page where a person types a device's code. */
export async function showDevicePage(request: Request, options: OAuthOptions): Promise<Response> {
  const person = await options.personOf(request)
  if (person === undefined) return sendTo(options.signInAt('/device'))
  return typePage(person)
}

/** Asks first for the code, then for consent: a person tricked into typing a code still sees its purpose. */
export async function takeDeviceForm(request: Request, options: OAuthOptions): Promise<Response> {
  const person = await options.personOf(request)
  if (person === undefined) throw new AppError('forbidden', 'Your session has ended. Sign in again.')
  const form = await readPageForm(request, options)
  return form.one('decision') === ''
    ? takeCode(form, person, options)
    : takeAnswer(form, person, { ...options, source: options.addressOf(request) })
}

async function takeCode(form: PageForm, person: SignedInPerson, options: OAuthOptions): Promise<Response> {
  checkSeal(form, person, TYPE, '')
  try {
    await keepWithin(options, `user code ${person.id}`, GUESSES)
  } catch (thrown) {
    if (refusedWith(thrown) === undefined) throw thrown
    return plainPage({
      status: 429,
      title: 'Too many attempts',
      body: saying('Try again in 10 minutes, with a new login.'),
    })
  }
  const code = readUserCode(form.one('user_code'))
  const login =
    code === undefined ? undefined : await options.store.devices.waiting(userHashOf(code), options.clock.now())
  if (code === undefined || login === undefined) return typePage(person, 'No pending login has this code.')
  if (person.projects.length === 0)
    return plainPage({
      status: 403,
      title: 'No projects to share',
      body: saying('You are not a member of any project yet.'),
    })
  return answerPage(code, login, person)
}

async function takeAnswer(
  form: PageForm,
  person: SignedInPerson,
  options: OAuthOptions & { readonly source: string },
): Promise<Response> {
  const code = form.one('user_code')
  checkSeal(form, person, ANSWER, code)
  const { store, clock } = options
  const login = await store.devices.waiting(userHashOf(code), clock.now())
  const over = plainPage({
    status: 404,
    title: 'Login not found',
    body: saying('This login was already answered or has expired.'),
  })
  if (login === undefined) return over
  const isAllowed = form.one('decision') === 'allow'
  const answer = isAllowed
    ? grantChosen(form, { person, clock, asked: { ...askedBy(login), isLasting: true } })
    : 'denied'
  if (!(await store.devices.answer(login.userHash, answer, clock.now()))) return over
  await options.told?.({
    operation: isAllowed ? 'grant_give' : 'grant_deny',
    who: { person: person.id },
    held: person.session,
    ...(answer !== 'denied' && { subject: answer.id }),
    client: login.clientName,
    source: options.source,
  })
  return plainPage({
    title: isAllowed ? 'Access allowed' : 'Access denied',
    body: saying('Close this page and return to the other machine.'),
  })
}

const askedBy = ({ client, clientName, resource, scopes }: DeviceLogin) => ({ client, clientName, resource, scopes })

const typePage = (person: SignedInPerson, wrong?: string): Response =>
  plainPage({
    ...(wrong !== undefined && { status: 400 }),
    title: 'Sign in on another machine',
    body: `${wrong === undefined ? '' : saying(wrong)}<form method="post" action="/device">
<input type="hidden" name="seal" value="${sealOf(person.sessionSecret, TYPE, '')}">
<label>Code shown there <input type="text" name="user_code" autocomplete="off" autofocus></label>
<p><button class="primary">Continue</button></p></form>`,
  })

const answerPage = (code: string, login: DeviceLogin, person: SignedInPerson): Response =>
  plainPage({
    title: 'Allow another machine?',
    body: `<p><strong>${pageText(login.clientName)}</strong> wants to use Ken as <strong>${pageText(person.name)}</strong>.</p>
<p class="warning">Continue only if your own machine shows the code <strong>${showUserCode(code)}</strong> for a login that you just started. Never enter a code that someone sent you.</p>
<form method="post" action="/device">
<input type="hidden" name="user_code" value="${code}">
<input type="hidden" name="seal" value="${sealOf(person.sessionSecret, ANSWER, code)}">
${choices(login.scopes, person)}
${BUTTONS}
</form>`,
  })
