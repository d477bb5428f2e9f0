import { readRequestBody } from '@modelcontextprotocol/server'
import type { Hono } from 'hono'
import { AppError } from '../../../kernel/domain/errors.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import {
  addPasskey,
  askForPasskey,
  askForSignature,
  signInWithPasskey,
  type PasskeyAsked,
} from '../../../team/sign-in-with-passkey.ts'
import { isOwnPath } from '../own-path.ts'
import { assertOwnPage } from '../page-form.ts'
import { failureHead } from '../refusals.ts'
import { auditAction, auditAttempt } from './audit-attempt.ts'
import type { Cookies } from './cookies.ts'
import type { LetIn, SignInOptions } from './sign-in-options.ts'

const LARGEST_BODY = 64 * 1024
const ATTEMPT_SECONDS = 5 * 60

/** JSON endpoints for the page scripts; accepts only requests from this origin. */
export function addPasskeyRoutes(
  app: Hono,
  desk: SignInOptions,
  { attempt, letIn }: { readonly attempt: Cookies; readonly letIn: LetIn },
): void {
  const { ceremonies } = desk.ways
  if (ceremonies === undefined) return
  const parts = { ...desk.parts, ceremonies }
  const asks = ({ options, attempt: secret }: PasskeyAsked): Response =>
    Response.json(
      { options },
      { headers: { 'set-cookie': attempt.set(secret, ATTEMPT_SECONDS), 'cache-control': 'no-store' } },
    )
  const post = (path: string, work: (request: Request, body: Record<string, unknown>) => Promise<Response>): void =>
    void app.post(path, async (c) => {
      try {
        assertOwnPage(c.req.raw, desk.publicUrl)
        return await work(c.req.raw, await readJsonBody(c.req.raw))
      } catch (thrown) {
        desk.trace?.(thrown)
        const error = toAppError(thrown)
        const { code, message, hint } = error
        return Response.json({ error: { code, message, ...(hint && { hint }) } }, failureHead(error))
      }
    })
  const signedIn = async (request: Request) => {
    const caller = await desk.callerOf(request)
    if (caller === undefined) throw new AppError('forbidden', 'Your session has ended. Sign in again.')
    return caller
  }
  post('/sign-in/passkey/ask', async (request) => asks(await askForSignature(parts, desk.sourceOf(request))))
  post('/sign-in/passkey', async (request, { response, to }) => {
    const userAgent = request.headers.get('user-agent')
    const { opened } = await auditAttempt(desk, { request, operation: 'sign_in_passkey' }, (claims) =>
      signInWithPasskey(parts, { attempt: attempt.read(request) ?? '', response, userAgent, claims }),
    )
    const goes = isOwnPath(to) ? to : '/'
    // The cookies of a redirect, in a response for the script.
    const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    for (const cookie of (await letIn(request, opened, goes)).headers.getSetCookie())
      headers.append('set-cookie', cookie)
    return new Response(JSON.stringify({ to: goes }), { headers })
  })
  post('/account/passkeys/ask', async (request) => asks(await askForPasskey(parts, (await signedIn(request)).person)))
  post('/account/passkeys', async (request, { response, name }) => {
    const { person, session } = await signedIn(request)
    const said = typeof name === 'string' ? name : ''
    const made = await addPasskey(parts, { person, attempt: attempt.read(request) ?? '', response, name: said })
    await auditAction(desk, request, { operation: 'passkey_add', who: { person }, held: session })
    return Response.json({ name: made.name }, { headers: { 'set-cookie': attempt.clear() } })
  })
}

async function readJsonBody(request: Request): Promise<Record<string, unknown>> {
  const isJson = /^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')
  const body = isJson ? await readRequestBody(request, LARGEST_BODY) : undefined
  try {
    if (body !== undefined && !body.tooLarge) return JSON.parse(body.text) as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new AppError('invalid_input', 'The body is not JSON, or too large.')
}
