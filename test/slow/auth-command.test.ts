import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeamPlace, type TeamPlace } from '../clients/team-place.ts'
import { KEN } from '../ken-program.ts'
import { hidden } from '../oauth/oauth-desk.ts'

const SECRET = /ken_(?:access|refresh|device|p)_\w/

let team: TeamPlace
let project: string
let home: string
beforeAll(async () => {
  team = await openTeamPlace()
  project = await team.newProject('shop')
  home = realpathSync(mkdtempSync(join(tmpdir(), 'ken-auth-')))
})
afterAll(async () => {
  await team.close()
  rmSync(home, { recursive: true, force: true })
})

/** Runs `ken auth`; `read` is called with all output so far whenever there is more. */
function auth(
  words: readonly string[],
  { input = '', read }: { readonly input?: string; readonly read?: (printed: string) => void } = {},
): Promise<{ readonly printed: string; readonly code: number | null }> {
  return new Promise((ended) => {
    let printed = ''
    // D-Bus is not configured, so there is no keychain to write to.
    const env = { PATH: process.env['PATH'], HOME: home, KEN_HOME: join(home, '.ken') }
    const child = spawn(process.execPath, [KEN, 'auth', ...words], { env })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        read?.(printed)
      })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('close', (code) => ended({ printed, code }))
  })
}

/** Approves as the user, in a browser elsewhere. */
async function allow(user: string): Promise<void> {
  const headers = { cookie: team.cookie, origin: team.origin, 'sec-fetch-site': 'same-origin' }
  const post = async (fields: [string, string][]) => {
    const answer = await fetch(`${team.origin}/device`, { method: 'POST', headers, body: new URLSearchParams(fields) })
    return answer.text()
  }
  const first = await (await fetch(`${team.origin}/device`, { headers })).text()
  const second = await post([
    ['seal', hidden(first, 'seal')],
    ['user_code', user],
  ])
  const last = await post([
    ['seal', hidden(second, 'seal')],
    ['user_code', hidden(second, 'user_code')],
    ['scope', 'read'],
    ['scope', 'write'],
    ['project', project],
    ['decision', 'allow'],
  ])
  expect(last).toContain('Access allowed')
}

const logIn = async (...words: string[]) => {
  let allowed: Promise<void> | undefined
  const done = await auth(['login', ...words, '--no-open'], {
    read: (printed) => {
      const [, user] = /Type the code (\S+) at/.exec(printed) ?? []
      if (user !== undefined) allowed ??= allow(user)
    },
  })
  await allowed
  return done
}
const kept = (): string => readFileSync(join(home, '.ken', 'logins.json'), 'utf8')

test('a user logs in with a code, is authenticated, and logs out for good', async () => {
  expect(await auth(['status'])).toMatchObject({ code: 0, printed: expect.stringContaining('no team server') })
  const login = await logIn(team.origin)
  expect(login, login.printed).toMatchObject({ code: 0 })
  expect(login.printed).toContain(`Logged in to ${team.origin}.`)
  const status = await auth(['status'])
  expect(status).toMatchObject({ code: 0, printed: expect.stringContaining(`${team.origin}: logged in by browser`) })
  expect(`${login.printed}${status.printed}`).not.toMatch(SECRET)
  expect(statSync(join(home, '.ken', 'logins.json')).mode & 0o777).toBe(0o600)

  const [access] = /ken_access_[\w-]+/.exec(kept())!
  const call = () =>
    fetch(`${team.origin}/v1/list_projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      body: '{}',
    })
  expect((await call()).status).toBe(200)
  const out = await auth(['logout'])
  expect(out).toEqual({ code: 0, printed: `Logged out of ${team.origin}.\n` })
  expect((await call()).status).toBe(401)
  expect(kept()).not.toMatch(SECRET)
})

test('an unattended machine takes a token from a pipe, if the server accepts it', async () => {
  const token = await team.token()
  const given = await auth(['login', team.origin, '--token'], { input: `${token}\n` })
  expect(given, given.printed).toMatchObject({ code: 0 })
  expect(await auth(['status', team.origin])).toMatchObject({
    code: 0,
    printed: expect.stringContaining('with a token of yours'),
  })
  const swapped = `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`
  const refused = await auth(['login', team.origin, '--token'], { input: swapped })
  expect(refused).toMatchObject({ code: 2 })
  expect(`${given.printed}${refused.printed}`).not.toMatch(SECRET)
  expect(kept()).toContain(token)
  expect((await auth(['logout'])).printed).toContain('Forgotten here.')
})

test('an invalid server, subcommand or login fails with its exit code', async () => {
  expect(await auth(['login', 'http://ken.example.com'])).toMatchObject({ code: 2 })
  expect(await auth(['login'])).toMatchObject({ code: 2, printed: expect.stringContaining('Say which server') })
  expect(await auth(['logout', team.origin])).toMatchObject({ code: 3 })
  expect(await auth(['logut'])).toMatchObject({ code: 2 })
  expect(await auth(['status', '--token'])).toMatchObject({ code: 2 })
  expect(await auth(['login', 'https://127.0.0.1:1'])).toMatchObject({ code: 7 })
  expect(await auth(['--help'])).toMatchObject({ code: 0, printed: expect.stringContaining('Usage: ken auth login') })
})
