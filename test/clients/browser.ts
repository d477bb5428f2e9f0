// A minimal browser for a login: `node browser.ts <address>` opens the address with a person's session, presses Allow
// and follows the redirect. KEN_TEST_BROWSER names a file with the session and the path of its log.
import { appendFileSync, readFileSync } from 'node:fs'
import { hidden } from '../oauth/oauth-desk.ts'

/** The consent page as shown, and the final status in the browser. */
export interface SeenLogin {
  readonly asked: Readonly<Record<string, string>>
  readonly page: string
  readonly landed: number
}

export interface BrowserNotes {
  readonly cookie: string
  /** The project that the person grants. */
  readonly project: string
  readonly seen: string
}

const notes = JSON.parse(readFileSync(process.env['KEN_TEST_BROWSER']!, 'utf8')) as BrowserNotes
const note = (what: object): void => appendFileSync(notes.seen, `${JSON.stringify(what)}\n`)

const address = new URL(process.argv.slice(2).find((word) => word.startsWith('http'))!)
const shown = await fetch(address, { headers: { cookie: notes.cookie }, redirect: 'manual' })
const page = await shown.text()
const asked = Object.fromEntries(address.searchParams)
if (shown.status !== 200) note({ asked, status: shown.status, location: shown.headers.get('location'), page })
else {
  const answer = await fetch(new URL('/oauth/authorize', address), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: notes.cookie, origin: address.origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams([
      ['request', hidden(page, 'request')],
      ['seal', hidden(page, 'seal')],
      ['scope', 'read'],
      ['scope', 'write'],
      ['project', notes.project],
      ['decision', 'allow'],
    ]),
  })
  const back = await fetch(answer.headers.get('location')!)
  note({ asked, page, landed: back.status } satisfies SeenLogin)
}
