import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeam, type Team } from '../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../src/app/team/serve-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { KEN } from '../ken-program.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'

let postgres: OwnDatabase
let databaseUrl: string
let team: Team
let server: TeamServer
let token: string
const ken = async (...words: string[]): Promise<string> => {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  return (await promisify(execFile)(process.execPath, [KEN, 'server', ...words], { env })).stdout
}
const send = (path: string, body: object): Promise<number> => {
  const { hostname, port } = new URL(server.url)
  const headers = {
    host: 'ken.example.com',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': 'a-client/1',
    authorization: `Bearer ${token}`,
  }
  return new Promise((done, failed) => {
    const asked = request({ hostname, port, path, method: 'POST', headers }, (response) =>
      response.resume().on('end', () => done(response.statusCode!)),
    )
    asked.on('error', failed).end(JSON.stringify(body))
  })
}

beforeAll(async () => {
  postgres = await newDatabase()
  databaseUrl = postgres.url
  const said = await ken('setup', '--organisation', 'Acme', '--email', 'a@b.example', '--project', 'shop')
  token = /ken_p_\w+/.exec(said)![0]
  team = await openTeam({ databaseUrl, clock: systemClock, embedder: async () => undefined })
  server = await serveTeam(team, {
    publicUrl: 'https://ken.example.com',
    hostname: '127.0.0.1',
    port: 0,
    clock: systemClock,
    notice: 0,
    log: () => undefined,
  })
})
afterAll(async () => {
  await team?.close()
  await postgres?.stop()
})

test('every call is in the audit log with its caller, program, origin and outcome, but no content', async () => {
  const rpc = (method: string, params: object) => send('/mcp', { jsonrpc: '2.0', id: 1, method, params })
  const decision = { title: 'A private plan', rationale: 'Because of the secret reason.' }
  expect(await send('/v1/propose_decision', decision)).toBe(200)
  expect(await send('/v1/check_decision', { proposed_approach: 'a private plan' })).toBe(200)
  expect(await send('/v1/list_decisions', { project_id: 'somebody-elses' })).toBe(404)
  expect(await send('/v1/get_decision', { number: 'private' })).toBe(400)
  await rpc('tools/call', { name: 'flag_question', arguments: { question: 'Is the private plan good?' } })
  await server.close()

  const lines = (await ken('audit')).trim().split('\n')
  const all = lines.map((line) => JSON.parse(line))
  expect(all.at(-1)).toMatchObject({ operation: 'setup', through: 'server', person: '', subject: all[0].person })
  const entries = all.slice(0, -1)
  expect(entries.map(({ operation, outcome, surface }) => [operation, outcome, surface])).toEqual([
    ['flag_question', 'ok', 'mcp-http'],
    ['get_decision', 'invalid_input', 'http'],
    ['list_decisions', 'not_found', 'http'],
    ['check_decision', 'ok', 'http'],
    ['propose_decision', 'ok', 'http'],
  ])
  const [project] = await team.projects.list(entries[0].person)
  for (const entry of entries)
    expect(entry).toMatchObject({ through: 'token', held: expect.any(String), source: '127.0.0.1' })
  expect(entries[4]).toMatchObject({ project: project!.id, organisation: project!.organisation, effect: 'write' })
  expect(lines.join()).not.toMatch(/private|secret|ken_p_/)

  expect((await ken('audit', '--outcome', 'not_found', '--limit', '1')).trim().split('\n').length).toBe(1)
  expect(await ken('audit', '--until', '2020-01-01')).toBe('')
  await expect(ken('audit', '--limit', 'many')).rejects.toMatchObject({ code: 2 })
  await expect(ken('retention', '--audit-days', '7')).rejects.toMatchObject({ code: 2 })
  expect(await ken('retention', '--audit-days', '365')).toMatch(/^0 entries/)
})

test('an operator exports a person at the terminal, and cannot forget the last admin', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ken-export-'))
  try {
    const path = join(folder, 'ada.tar.gz')
    expect(await ken('export', '--person', 'a@b.example', path)).toContain(`files → ${path}`)
    expect((await promisify(execFile)('tar', ['-tzf', path])).stdout).toContain('profile.jsonl')
    await expect(ken('export', path)).rejects.toMatchObject({ code: 2 })
    const forget = ['forget', '--person', 'a@b.example', '--backup-days', '30']
    await expect(ken(...forget)).rejects.toMatchObject({ stderr: expect.stringContaining('--yes') })
    await expect(ken(...forget, '--yes')).rejects.toMatchObject({
      stderr: expect.stringContaining('at least one admin'),
    })
    expect(await ken('audit', '--operation', 'export_person')).toContain('"through":"server"')
    expect(await ken('retention')).toMatch(/^(?:Nothing was kept|Ended)/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
