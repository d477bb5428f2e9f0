import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
 * One day of an operator with the commands that the guides name; each test continues where the previous one ended. The
 * session is kept in test/transcripts/team/operators-day.txt, which KEN_TRANSCRIPTS=write rewrites. Runs the source,
 * because the next version is a copy of it.
 */

const KEN = resolve(import.meta.dirname, '../../bin/ken.js')
const PUBLIC = 'https://ken.example.com'
const TRANSCRIPT = resolve(import.meta.dirname, '../transcripts/team/operators-day.txt')
const folder = mkdtempSync(join(tmpdir(), 'ken-day-'))
let postgres: OwnDatabase
let restored: OwnDatabase
let next: NextVersion
let replica: Replica
const tokens = { ADA: '', BEA: '', LEAKED: '' }
const LONGEST = 400

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

const lines: string[] = []
const note = (text: string): void => void lines.push('', `# ${text}`)
const show = (command: string, ...streams: readonly (readonly [sign: string, text: string])[]): void => {
  lines.push(`$ ${plain(command)}`)
  for (const [sign, text] of streams)
    if (text.trim() !== '')
      lines.push(
        ...plain(text.trimEnd())
          .split('\n')
          .map((line) => `${sign} ${line}`.trimEnd()),
      )
}

/** Replaces the parts that differ between runs and versions: folders, ids, secrets, times, the number of tables. */
const plain = (text: string): string =>
  text
    .replaceAll(folder, '/var/backups')
    .replace(/ken_([pa])_\w+/g, 'ken_$1_SECRET')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ULID')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replace(/\d+ rows of \d+ tables, schema \d+/g, 'N rows of N tables, schema N')
    .replace(/schema \d+ of Ken \S+,/g, 'schema N of Ken VERSION,')
    .replace(/"searched":\d+/g, '"searched":N')
    .replace(/\b20\d\d-\d{2}-\d{2}\b/g, 'DATE')

async function ken(words: string, { program = KEN, url = postgres.url } = {}): Promise<string> {
  const started = promisify(execFile)(process.execPath, [program, 'server', ...words.split(' ')], {
    env: { ...process.env, DATABASE_URL: url },
  })
  const { stdout, stderr, code } = await started.then(
    (printed) => ({ ...printed, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  )
  show(`${program === KEN ? 'ken' : 'next/ken'} server ${words}`, ['>', stdout], ['!', stderr])
  if (code !== 0) lines.push(`[exit ${code}]`)
  return stdout
}
const secretIn = (text: string): string => /ken_[pa]_\w+/.exec(text)![0]

async function serve({ program = KEN, url = postgres.url } = {}): Promise<void> {
  await replica?.leave()
  replica = await makeReplica({ databaseUrl: url, publicUrl: PUBLIC, ken: program })
  await replica.start()
  const version = program === KEN ? 'ken' : 'next/ken'
  lines.push(`$ ${version} server${url === postgres.url ? '' : '   # on the restored database'}`)
}

/** `fetch` is not used, because it does not let a caller set Host. */
async function call(who: keyof typeof tokens, name: string, input: object = {}): Promise<string> {
  const headers = { host: new URL(PUBLIC).host, 'content-type': 'application/json' }
  const text = await new Promise<string>((done, failed) => {
    const asked = request(
      `${replica.url}/v1/${name}`,
      { method: 'POST', headers: { ...headers, authorization: `Bearer ${tokens[who]}` } },
      (response) => {
        let answer = `${response.statusCode} `
        response.on('data', (chunk) => (answer += chunk)).on('end', () => done(answer))
      },
    )
    asked.on('error', failed).end(JSON.stringify(input))
  })
  show(`curl -H "Authorization: Bearer $${who}" ${PUBLIC}/v1/${name} -d '${JSON.stringify(input)}'`, [
    '>',
    text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text,
  ])
  return text
}

async function tablesWith(word: string, { url } = postgres): Promise<readonly string[]> {
  const database = await openPostgresDatabase({ url })
  try {
    const tables = Object.entries(await everyRow(database))
    const found = tables.flatMap(([name, rows]) => (JSON.stringify(rows).includes(word) ? [name] : []))
    show(`grep -l ${word} dump/*`, ['>', found.join('\n')])
    return found
  } finally {
    await database.close()
  }
}

test('two organisations on one server see none of each other’s data', async () => {
  note('One organisation, then two')
  tokens.ADA = secretIn(await ken('setup --organisation Acme --email ada@acme.example --project shop'))
  const other = 'setup --organisation Beta --email bea@beta.example --project billing'
  expect(await ken(other)).toBe('')
  tokens.BEA = secretIn(await ken(`${other} --another`))
  await serve()
  const rationale = 'Wilhelmina Quist asked for joins across orders.'
  expect(await call('ADA', 'propose_decision', { title: 'Keep orders in PostgreSQL', rationale })).toMatch(/^200/)
  expect(await call('ADA', 'list_projects')).toContain('shop')
  for (const name of ['list_projects', 'list_decisions', 'audit_log'])
    expect(await call('BEA', name), name).toMatch(/^200 (?!.*(?:shop|orders|ada@))/s)
})

test('an upgrade changes the tables, and the previous version runs on them again', async () => {
  note('An upgrade, and its rollback')
  await serve({ program: next.ken })
  const decision = { title: 'Send mail through a queue', rationale: 'A slow relay blocks orders.' }
  expect(await call('ADA', 'propose_decision', decision)).toMatch(/^200/)
  await serve()
  const text = await call('ADA', 'list_decisions')
  expect(text).toContain('Keep orders in PostgreSQL')
  expect(text).toContain(decision.title)
})

test('a backup made after a rollback is restored by the newer version and serves the same answers', async () => {
  note('A restore drill: the newer version changed the tables, so the newer version restores them')
  const before = await call('ADA', 'list_decisions')
  const path = join(folder, 'day.backup')
  await ken(`backup ${path}`)
  expect(await ken(`restore ${path}`, restored)).toBe('')
  expect(await ken(`restore ${path}`, { ...restored, program: next.ken })).toContain('2 records verified')
  await serve({ url: restored.url })
  expect(await call('ADA', 'list_decisions')).toEqual(before)
  await serve()
})

test('an admin without any credential gets a token, and the leaked one stops working immediately', async () => {
  note('A lost admin and a leaked token')
  tokens.LEAKED = tokens.ADA
  tokens.ADA = secretIn(
    await ken('token ada@acme.example --organisation Acme --name recovered --scopes read,write,admin'),
  )
  const listed = (await ken('token list ada@acme.example --organisation Acme')).split('\n')
  const id = /[0-9A-Z]{26}/.exec(listed.find((line) => line.includes('made by ken server setup'))!)![0]
  expect(await call('LEAKED', 'list_projects')).toMatch(/^200/)
  await ken(`token revoke ada@acme.example ${id} --organisation Acme`)
  expect(await call('LEAKED', 'list_projects')).toMatch(/^401/)
  expect(await call('ADA', 'list_projects')).toMatch(/^200/)
})

test('a name is erased from the record with a certificate, and from every row of the database', async () => {
  note('A request for erasure')
  expect(await tablesWith('Quist')).not.toEqual([])
  const certificate = await call('ADA', 'redact_words', { words: ['Wilhelmina Quist'], confirmed: true })
  expect(JSON.parse(certificate.slice(4))).toMatchObject({ outcome: 'redacted', left: [] })
  expect(certificate).toMatch(/elsewhere.*backup/is)
  expect(await tablesWith('Quist')).toEqual([])
  expect(await tablesWith('Wilhelmina')).toEqual([])
  expect(await call('ADA', 'verify')).toMatch(/^200/)
  // A backup has it until it expires, as the certificate says.
  expect(await tablesWith('Quist', restored)).not.toEqual([])
})

test('the day matches its transcript', () => {
  const said = `${lines.join('\n').trimStart()}\n`
  if (process.env['KEN_TRANSCRIPTS'] === 'write') writeFileSync(TRANSCRIPT, said)
  else expect(said).toBe(readFileSync(TRANSCRIPT, 'utf8'))
})
