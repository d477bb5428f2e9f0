import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { makeNextVersion, type NextVersion } from '../cluster/next-version.ts'
import { makeReplica, type Replica } from '../cluster/replica.ts'
import { everyRow } from '../postgres/every-row.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'

/*
 * One day of an operator with the commands that the guides name, in order: each test goes on where the one before it
 * ended. From the source, because the next version is a copy of it.
 */

const KEN = resolve(import.meta.dirname, '../../bin/ken.js')
const PUBLIC = 'http://ken.example.com'
const folder = mkdtempSync(join(tmpdir(), 'ken-day-'))
const run = promisify(execFile)
let postgres: OwnDatabase
let restored: OwnDatabase
let next: NextVersion
let replica: Replica
let [acme, beta]: string[] = []

beforeAll(async () => {
  postgres = await newDatabase()
  restored = await newDatabase()
  next = makeNextVersion()
})
afterAll(async () => {
  await replica?.kill()
  await postgres?.stop()
  await restored?.stop()
  next?.remove()
  rmSync(folder, { recursive: true })
})

const ken = async (words: string, { url } = postgres): Promise<string> =>
  (await run(process.execPath, [KEN, 'server', ...words.split(' ')], { env: { ...process.env, DATABASE_URL: url } }))
    .stdout
const secretIn = (text: string): string => /ken_[pa]_\w+/.exec(text)![0]

async function serve({ program = KEN, url = postgres.url } = {}): Promise<void> {
  await replica?.leave()
  replica = await makeReplica({ databaseUrl: url, publicUrl: PUBLIC, ken: program })
  await replica.start()
}

/** Not `fetch`, which does not let a caller set Host. */
const call = (token: string | undefined, name: string, input: object = {}): Promise<{ status: number; text: string }> =>
  new Promise((done, failed) => {
    const headers = {
      host: new URL(PUBLIC).host,
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    }
    const asked = request(`${replica.url}/v1/${name}`, { method: 'POST', headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk)).on('end', () => done({ status: response.statusCode!, text }))
    })
    asked.on('error', failed).end(JSON.stringify(input))
  })

async function rowsWith(word: string, { url } = postgres): Promise<readonly string[]> {
  const database = await openPostgresDatabase({ url })
  try {
    const tables = Object.entries(await everyRow(database))
    return tables.flatMap(([name, rows]) => (JSON.stringify(rows).includes(word) ? [name] : []))
  } finally {
    await database.close()
  }
}

test('two organisations on one server see nothing of each other', async () => {
  acme = secretIn(await ken('setup --organisation Acme --email ada@acme.example --project shop'))
  const other = 'setup --organisation Beta --email bea@beta.example --project billing'
  await expect(ken(other)).rejects.toMatchObject({ code: 4 })
  beta = secretIn(await ken(`${other} --another`))
  await serve()
  const rationale = 'Wilhelmina Quist asked for joins across orders.'
  expect((await call(acme, 'propose_decision', { title: 'Keep orders in PostgreSQL', rationale })).status).toBe(200)
  expect((await call(acme, 'list_projects')).text).toContain('shop')
  for (const [name, input] of [
    ['list_projects', {}],
    ['list_decisions', {}],
    ['audit_log', {}],
  ] as const)
    expect((await call(beta, name, input)).text, name).not.toMatch(/shop|orders|ada@/)
})

test('an upgrade changes the tables, and the version before runs on them again', async () => {
  await serve({ program: next.ken })
  const title = 'Send mail through a queue'
  expect((await call(acme, 'propose_decision', { title, rationale: 'A slow relay blocks orders.' })).status).toBe(200)
  await serve()
  const { text } = await call(acme, 'list_decisions')
  expect(text).toContain('Keep orders in PostgreSQL')
  expect(text).toContain(title)
})

test('an admin who lost everything gets a token, and the leaked one stops working at once', async () => {
  const leaked = acme!
  acme = secretIn(await ken('token ada@acme.example --organisation Acme --name recovered --scopes read,write,admin'))
  const lines = (await ken('token list ada@acme.example --organisation Acme')).split('\n')
  const id = /[0-9A-Z]{26}/.exec(lines.find((line) => line.includes('made by ken server setup'))!)![0]
  await ken(`token revoke ada@acme.example ${id} --organisation Acme`)
  expect((await call(leaked, 'list_projects')).status).toBe(401)
  expect((await call(acme, 'list_projects')).status).toBe(200)
})

test('a backup is restored into a second database, where a server gives the same answers', async () => {
  const before = await call(acme, 'list_decisions')
  const path = join(folder, 'day.backup')
  await ken(`backup ${path}`)
  expect(await ken(`restore ${path}`, restored)).toContain('2 records verified')
  await serve({ url: restored.url })
  expect(await call(acme, 'list_decisions')).toEqual(before)
  await serve()
})

test('a name is erased from the record with a certificate, and from every row of the database', async () => {
  expect(await rowsWith('Quist')).not.toEqual([])
  const { status, text } = await call(acme, 'redact_words', { words: ['Wilhelmina Quist'], confirmed: true })
  expect([status, JSON.parse(text)]).toMatchObject([200, { outcome: 'redacted', left: [] }])
  expect(await rowsWith('Quist')).toEqual([])
  expect(await rowsWith('Wilhelmina')).toEqual([])
  expect((await call(acme, 'verify')).status).toBe(200)
  // The backup has it until it expires, as the certificate says.
  expect(await rowsWith('Quist', restored)).not.toEqual([])
  expect(JSON.parse(text).elsewhere.join(' ')).toMatch(/backup/i)
})
