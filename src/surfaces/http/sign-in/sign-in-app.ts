import { Hono } from 'hono'
import { AppError } from '../../../kernel/domain/errors.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import { KNOWN_SECONDS, knowBrowser } from '../../../team/authenticate-browser.ts'
import { livesAt } from '../../../team/authenticate.ts'
import type { Person } from '../../../team/domain/person.ts'
import { claimServer } from '../../../team/first-start.ts'
import type { OpenedSession } from '../../../team/open-session.ts'
import { askForCode, enterCode } from '../../../team/sign-in-by-code.ts'
import { askProvider, choosePerson, comeBack, type CameBack } from '../../../team/sign-in-with-provider.ts'
import { isOwnPath } from '../own-path.ts'
import { readPageForm } from '../page-form.ts'
import { plainPage, saying, sendTo } from '../plain-page.ts'
import { failureHead } from '../refusals.ts'
import { accountPage } from './account-page.ts'
import { auditAction, auditAttempt } from './audit-attempt.ts'
import { cookiesNamed } from './cookies.ts'
import { addPasskeyRoutes } from './passkey-routes.ts'
import { answerPasskeyScript, PASSKEY_SCRIPT } from './passkey-script.ts'
import type { LetIn, SignInOptions } from './sign-in-options.ts'
import { choicePage, codePage, setupPage, signInPage } from './sign-in-page.ts'

const SIGN_IN = '/sign-in'
const SESSION_SECONDS = 30 * 24 * 60 * 60
const ATTEMPT_SECONDS = 10 * 60
const PROVIDER = 'sign_in_provider'

/** The sign-in path that continues to a path on this server. */
export const signInAt = (to: string): string => `${SIGN_IN}?${new URLSearchParams({ to })}`

/** The pages for signing in and out. All but one work without a script. */
export function buildSignInApp(desk: SignInOptions): Hono {
  const { parts, ways, publicUrl, session } = desk
  const attempt = cookiesNamed('ken-attempt', publicUrl)
  const known = cookiesNamed('ken-known', publicUrl)
  const letIn: LetIn = async (request, { session: opened, secret }, to) => {
    const { id: held, person, proof } = opened
    await auditAction(desk, request, { operation: `sign_in_${proof}`, who: { person }, held })
    const email = (await parts.people.find(person))?.email
    const cookies = email === undefined ? [] : [known.set(await knowBrowser(parts, email), KNOWN_SECONDS)]
    return sendTo(to, [session.set(secret, SESSION_SECONDS), attempt.clear(), ...cookies])
  }
  const comeIn: ComeIn = async (request, { person, opened, invitation }, to) => {
    if (invitation !== undefined) {
      const [who, held] = [{ person: person.id }, opened.session.id]
      await auditAction(desk, request, { operation: 'invitation_accept', who, held, subject: invitation })
    }
    return letIn(request, opened, to)
  }
  const app = new Hono()
  const answer =
    (work: (request: Request) => Promise<Response>) =>
    (c: { readonly req: { readonly raw: Request } }): Promise<Response> =>
      work(c.req.raw).catch((thrown: unknown) => {
        desk.trace?.(thrown)
        return faultPage(thrown)
      })

  app.get(
    SIGN_IN,
    answer(async (request) => {
      const to = wantedBy(new URL(request.url).searchParams.get('to'))
      if (await desk.callerOf(request)) return sendTo(to)
      return (await parts.people.isEmpty()) ? sendTo('/setup') : signInPage(ways, to)
    }),
  )
  app.post(
    `${SIGN_IN}/code`,
    answer(async (request) => {
      const form = await readPageForm(request, desk)
      const { mailer } = ways
      if (mailer === undefined) throw notOffered()
      const from = { source: desk.sourceOf(request), known: known.read(request) }
      const asked = await askForCode({ ...parts, mailer }, { email: form.one('email'), ...from })
      // Not awaited: the time to send a mail would reveal whether the address exists.
      setImmediate(() => void asked.deliver().catch((thrown: unknown) => desk.trace?.(thrown)))
      const page = codePage(wantedBy(form.one('to')))
      page.headers.append('set-cookie', attempt.set(asked.attempt, ATTEMPT_SECONDS))
      return page
    }),
  )
  app.post(
    `${SIGN_IN}/enter`,
    answer(async (request) => {
      const form = await readPageForm(request, desk)
      const { mailer } = ways
      if (mailer === undefined) throw notOffered()
      const [code, chosen, to] = [form.one('code'), form.one('as'), wantedBy(form.one('to'))]
      const entered = await auditAttempt(desk, { request, operation: 'sign_in_code' }, (claims) =>
        enterCode(
          { ...parts, mailer },
          {
            attempt: attempt.read(request) ?? '',
            code,
            source: desk.sourceOf(request),
            userAgent: request.headers.get('user-agent'),
            claims,
            ...(chosen !== '' && { chosen }),
          },
        ),
      )
      if (entered.kind === 'in') return comeIn(request, entered, to)
      const { seats } = entered
      const organisations = await desk.organisations(seats.map(({ organisation }) => organisation))
      return choicePage({ seats, organisations, action: `${SIGN_IN}/enter`, fields: { to, code } })
    }),
  )
  addProviderRoutes(app, { desk, answer, comeIn, attempt })
  app.get(PASSKEY_SCRIPT, answerPasskeyScript)
  addPasskeyRoutes(app, desk, { attempt, letIn })
  app.get(
    '/setup',
    answer(async () => ((await parts.people.isEmpty()) ? setupPage() : sendTo(SIGN_IN))),
  )
  app.post(
    '/setup',
    answer(async (request) => {
      const form = await readPageForm(request, desk)
      const [code, organisation, name, email] = ['code', 'organisation', 'name', 'email'].map((field) =>
        form.one(field),
      )
      const claim = { code: code!.trim(), organisation: organisation!, name: name!, email: email! }
      const { opened } = await auditAttempt(desk, { request, operation: 'sign_in_setup' }, () =>
        claimServer(parts, { ...claim, userAgent: request.headers.get('user-agent') }),
      )
      return letIn(request, opened, '/')
    }),
  )
  addAccountRoutes(app, desk, answer)
  return app
}

type Answer = (
  work: (request: Request) => Promise<Response>,
) => (c: { readonly req: { readonly raw: Request } }) => Promise<Response>

type ComeIn = (
  request: Request,
  came: { readonly person: Person; readonly opened: OpenedSession; readonly invitation?: string },
  to: string,
) => Promise<Response>

interface ProviderRoutes {
  readonly desk: SignInOptions
  readonly answer: Answer
  readonly attempt: ReturnType<typeof cookiesNamed>
  readonly comeIn: ComeIn
}

function addProviderRoutes(app: Hono, { desk, answer, comeIn, attempt }: ProviderRoutes): void {
  const { parts, ways, publicUrl } = desk
  const { provider } = ways
  if (provider === undefined) return
  const all = { ...parts, provider }
  const wanted = cookiesNamed('ken-to', publicUrl)
  const goOn = async (came: CameBack, request: Request): Promise<Response> => {
    if (came.kind === 'in') {
      const response = await comeIn(request, came, wantedBy(decodeURIComponent(wanted.read(request) ?? '/')))
      response.headers.append('set-cookie', wanted.clear())
      return response
    }
    const organisations = await desk.organisations(came.seats.map(({ organisation }) => organisation))
    const page = choicePage({ seats: came.seats, organisations, action: `${SIGN_IN}/choose`, fields: {} })
    page.headers.append('set-cookie', attempt.set(came.attempt, ATTEMPT_SECONDS))
    return page
  }
  app.get(
    `${SIGN_IN}/provider`,
    answer(async (request) => {
      const to = wantedBy(new URL(request.url).searchParams.get('to'))
      const asked = await askProvider(all, desk.sourceOf(request))
      return sendTo(asked.url, [
        attempt.set(asked.attempt, ATTEMPT_SECONDS),
        wanted.set(encodeURIComponent(to), ATTEMPT_SECONDS),
      ])
    }),
  )
  app.get(
    `${SIGN_IN}/back`,
    answer(async (request) => {
      const query = new URL(request.url).search.slice(1)
      const userAgent = request.headers.get('user-agent')
      const given = { attempt: attempt.read(request) ?? '', query, userAgent }
      return goOn(await auditAttempt(desk, { request, operation: PROVIDER }, () => comeBack(all, given)), request)
    }),
  )
  app.post(
    `${SIGN_IN}/choose`,
    answer(async (request) => {
      const form = await readPageForm(request, desk)
      const userAgent = request.headers.get('user-agent')
      const given = { attempt: attempt.read(request) ?? '', chosen: form.one('as'), userAgent }
      return goOn(await auditAttempt(desk, { request, operation: PROVIDER }, () => choosePerson(all, given)), request)
    }),
  )
}

function addAccountRoutes(app: Hono, desk: SignInOptions, answer: Answer): void {
  const { parts, ways, session } = desk
  app.get(
    '/account',
    answer(async (request) => {
      const caller = await desk.callerOf(request)
      const person = caller && (await parts.people.find(caller.person))
      if (caller === undefined || person === undefined) return sendTo(signInAt('/account'))
      const [organisation] = await desk.organisations([person.organisation])
      return accountPage({
        person,
        organisation: organisation?.name ?? '',
        passkeys: ways.ceremonies && (await parts.passkeys.list(person.id)),
        sessions: await parts.sessions.list(person.id, livesAt(parts.clock.now())),
        own: caller.session,
      })
    }),
  )
  app.post(
    '/account/passkeys/remove',
    answer(async (request) => {
      const form = await readPageForm(request, desk)
      const caller = await desk.callerOf(request)
      if (caller !== undefined) {
        await parts.passkeys.remove(caller.person, form.one('id'))
        await auditAction(desk, request, { operation: 'passkey_remove', who: caller, held: caller.session })
      }
      return sendTo('/account')
    }),
  )
  app.post(
    '/sign-out',
    answer(async (request) => {
      const form = await readPageForm(request, desk)
      const caller = await desk.callerOf(request)
      if (caller !== undefined) {
        const isAll = form.one('all') === 'yes'
        if (isAll) await parts.sessions.endOthers(caller.person, caller.session)
        await parts.sessions.end(caller.person, [caller.session])
        const operation = isAll ? 'sign_out_everywhere' : 'sign_out'
        await auditAction(desk, request, { operation, who: caller, held: caller.session })
      }
      return sendTo(SIGN_IN, [session.clear()])
    }),
  )
}

const wantedBy = (to: string | null): string => (isOwnPath(to) ? to : '/')

const notOffered = (): AppError => new AppError('not_found', 'This sign-in method is not available on this server.')

function faultPage(thrown: unknown): Response {
  const error = toAppError(thrown)
  return plainPage({
    ...failureHead(error),
    title: 'Sign-in failed',
    body: `${saying(error.line)}<p><a href="${SIGN_IN}">Sign in</a></p>`,
  })
}
