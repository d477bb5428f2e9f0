import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callOneTool } from './clients/call-one-tool.ts'
import { foldersIn, programOf } from './clients/client-matrix.ts'
import { LOGIN_WAYS, openLoginClient, TOKEN_WAYS, type LoginWay } from './clients/login-client.ts'
import { REAL_CLIENTS } from './clients/real-clients.ts'
import { openTeamPlace, type TeamPlace } from './clients/team-place.ts'
import type { ModelRequest } from './scripted-model.ts'

// As in client-matrix.slow.test.ts: KEN_CLIENTS lists the folders in which npm installed the clients.
const FOLDERS = foldersIn(process.env['KEN_CLIENTS'])
const HOUR = 3_600_000
const client = (program: string) => REAL_CLIENTS.find((one) => one.program === program)!
const programs = new Map(LOGIN_WAYS.map(({ program }) => [program, programOf(client(program), FOLDERS)]))
const areThere = [...programs.values()].some((program) => program !== undefined)

const DECISION = {
  title: 'Cache hot reads in Redis',
  rationale: 'Lower p99 than the database.',
  rejected: [{ alternative: 'Memcached', reason: 'No persistence.' }],
}
const check = callOneTool({ tool: 'check_decision', input: { proposed_approach: 'Put Memcached before the pages' } })
const propose = callOneTool({ tool: 'propose_decision', input: DECISION })
const answersIn = (requests: readonly ModelRequest[]): string =>
  requests.flatMap(({ answers }) => answers.map(({ text }) => text)).join('\n')

let team: TeamPlace
beforeAll(async () => {
  if (areThere) team = await openTeamPlace()
})
afterAll(() => team?.close())

// A name belongs to only one project.
let opened = 0
const loginsAt = (place: TeamPlace) => place.lines.filter(({ route }) => route === '/oauth/token')

const open = async (way: LoginWay, place: TeamPlace, token?: string) => {
  const project = await place.newProject(`${way.program} ${++opened}`)
  return {
    project,
    desk: await openLoginClient(client(way.program), way, {
      program: programs.get(way.program)!,
      team: place,
      project,
      ...(token && { token }),
    }),
  }
}

describe.each(LOGIN_WAYS.map((way) => [way.program, way] as const))('%s, at a team server', (name, way) => {
  if (programs.get(name) === undefined)
    return test.skip(`${name} is not installed: KEN_CLIENTS names no folder with it`)

  test('registers, logs in with its own flow, uses the tools, and continues after its token has expired', async () => {
    const { project, desk } = await open(way, team)
    try {
      const { printed, seen } = await desk.logIn()
      expect(seen, printed).toHaveLength(1)
      const [{ asked, page, landed }] = seen as [(typeof seen)[number]]
      expect(asked).toMatchObject({
        response_type: 'code',
        client_id: expect.stringMatching(/^ken_client_/),
        code_challenge_method: 'S256',
        redirect_uri: expect.stringMatching(/^http:\/\/(?:127\.0\.0\.1|localhost):\d+\//),
      })
      expect(page).toContain('It registered itself. The name is not verified.')
      expect(landed).toBeLessThan(400)

      const first = await desk.session(propose)
      const offered = new Set(first.requests.flatMap(({ tools }) => tools.map((tool) => tool.name)))
      expect(
        [...offered].filter((tool) => /ken.*(?:check|propose)_decision$/.test(tool)),
        first.printed,
      ).toHaveLength(2)
      expect(answersIn(first.requests), first.printed).toContain('D001')

      const before = loginsAt(team).length
      team.moved.by += HOUR + 1
      desk.grewOld()
      const second = await desk.session(check)
      expect(answersIn(second.requests), second.printed).toContain(DECISION.title)
      expect(
        loginsAt(team)
          .slice(before)
          .map(({ status }) => status),
      ).toContain(200)

      const record = team.team.parts.openRecord({
        id: project,
        name,
        mode: 'cloud',
        location: team.origin,
        repositories: [],
        present: true,
      })
      expect(await record.journal()).toMatchObject([
        { operation: 'propose_decision', origin: { surface: 'mcp-http', user: expect.any(String) } },
      ])
      expect(team.faults).toEqual([])
    } finally {
      await desk.close()
    }
  })
})

const ifThere = (program: string) => test.skipIf(programs.get(program) === undefined)

for (const way of TOKEN_WAYS)
  ifThere(way.program)(`${way.program} is let in with a token in a header, without a browser`, async () => {
    const { project, desk } = await open(way, team, await team.token())
    try {
      const { printed, seen } = await desk.logIn()
      expect(seen, printed).toEqual([])
      const ask = callOneTool({
        tool: 'check_decision',
        input: { proposed_approach: 'Use a cache', project_id: project },
      })
      const { printed: said, requests } = await desk.session(ask)
      expect(answersIn(requests), said).toContain('no decisions to check against')
    } finally {
      await desk.close()
    }
  })

/** Two clients prefer to be identified by a metadata document, if a server can read it. */
const BY_DOCUMENT: Readonly<Record<string, string>> = {
  claude: 'https://claude.ai/oauth/claude-code-client-metadata',
  codex: 'https://chatgpt.com/oauth/codex/client.json',
}

describe('a server that reads client metadata documents', () => {
  const documents = {
    fetch: async (id: string) => ({
      text: JSON.stringify({
        client_id: id,
        client_name: 'As the document says',
        redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }),
      cacheControl: undefined,
    }),
  }
  let reading: TeamPlace
  beforeAll(async () => {
    if (areThere) reading = await openTeamPlace({ documents })
  })
  afterAll(() => reading?.close())

  for (const [name, id] of Object.entries(BY_DOCUMENT))
    ifThere(name)(`${name} names the address of its document, and does not register`, async () => {
      const { desk } = await open(
        LOGIN_WAYS.find(({ program }) => program === name)!,
        reading,
      )
      try {
        const { printed, seen } = await desk.logIn()
        expect(seen, printed).toMatchObject([{ asked: { client_id: id } }])
        expect(seen[0]!.page).toContain('As the document says')
        expect(reading.lines.map(({ route }) => route)).not.toContain('/oauth/register')
        const { printed: said, requests } = await desk.session(check)
        expect(answersIn(requests), said).toContain('no decisions to check against')
      } finally {
        await desk.close()
      }
    })
})
