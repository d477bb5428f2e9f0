import { pageText } from '../../kernel/domain/lone-page.ts'
import type { PageSessions } from './page-sessions.ts'
import { plainPage } from './plain-page.ts'

const POLICY = "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Replaces the URL that contains the code, so that it is not kept in the history; the code is already invalid by then.
 */
const SCRIPT = `const said = (name) => document.querySelector('meta[name="' + name + '"]').content
localStorage.setItem('ken.key', said('ken-key'))
location.replace(said('ken-to'))
`

export const ENTER = '/enter'
export const ENTER_SCRIPT = '/enter.js'

/** Handles the one-time link: stores the session in the browser and redirects. */
export function answerEntry(request: Request, sessions: PageSessions): Response {
  const url = new URL(request.url)
  // A HEAD request must not use up the code.
  const session =
    request.method === 'GET'
      ? sessions.enter(url.searchParams.get('code') ?? '', request.headers.get('user-agent'))
      : undefined
  if (session === undefined)
    return plainPage({
      status: 401,
      title: 'This link was already used or has expired',
      body: '<p>Run <code>ken app</code> to get a new link.</p>',
    })
  const response = htmlPage(
    `<title>Ken</title><meta name="ken-key" content="${pageText(session.key)}"><meta name="ken-to" content="${pageText(session.to)}"><script src="${ENTER_SCRIPT}"></script>`,
  )
  response.headers.append(
    'set-cookie',
    `${cookieName(url)}=${session.cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`,
  )
  return response
}

export const answerEnterScript = (): Response =>
  new Response(SCRIPT, { headers: { 'content-type': 'text/javascript', 'cache-control': 'no-cache' } })

/** Ports of one host share cookies, so the name includes the port. */
const cookieName = ({ port }: URL): string => `ken-session-${port || '80'}`

/**
 * All session cookies: a page on another port can set one of the same name before ours, which would lock the user out.
 */
export function cookiesOf(request: Request): readonly string[] {
  const name = `${cookieName(new URL(request.url))}=`
  return (request.headers.get('cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(name))
    .map((part) => part.slice(name.length))
    .slice(0, MOST_COOKIES)
}

const MOST_COOKIES = 10

const htmlPage = (inside: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${inside}`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
      },
    },
  )
