/**
 * Measures many concurrent chats on one server: `npm run bench:analyst [-- --chats 200]`. Runs a real `ken serve
 * --http` on a shop in SQLite, a scripted model in a separate process, and one server-sent-events reader per chat.
 * Prints milliseconds to the first event and to the end beside a single chat in the same run, the lost messages (must
 * be none) and the server's memory; fails if a message is lost or a limit is exceeded.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { openKen } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { openScriptedModel } from '../test/scripted-model.ts'
import { makeShop, ownSqlite } from '../test/shop-database.ts'

const { values } = parseArgs({ options: { chats: { type: 'string', default: '200' } } })
const MOST_MEMORY = 1_000
const FIRST_EVENT = 10_000
const root = join(import.meta.dirname, '..')
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-bench-analyst-')))
const folder = join(place, 'shop')
mkdirSync(folder)
const answer = 'There are 60 orders, as the table says, and here is a sentence more so that it comes in pieces.'
const model = await openScriptedModel((request) =>
  request.answers.length % 2 === 0
    ? { call: { tool: 'execute_sql', input: { sql: 'SELECT count(*) AS n FROM orders' } } }
    : `${answer} ${/chat-\d+/.exec(request.user)?.[0] ?? ''}`,
)
const environment = {
  ...process.env,
  HOME: place,
  KEN_HOME: join(place, 'home'),
  KEN_TELEMETRY: '0',
  KEN_MODEL: 'compatible:scripted',
  KEN_MODEL_URL: `${model.url}/v1`,
}
await prepare()
const { server, url, token } = await serve()
try {
  await ask('warm-up')
  const alone = await ask('chat-0')
  const started = performance.now()
  const many = await Promise.all(Array.from({ length: Number(values.chats) }, (_, i) => ask(`chat-${i + 1}`)))
  const seconds = (performance.now() - started) / 1_000
  const lost = many.filter(({ text }, i) => text !== `${answer} chat-${i + 1}`).length
  const stored = await countStored()
  const memory = Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1_024
  const [first, end] = [many.map((one) => one.first), many.map((one) => one.end)]
  console.log(`${many.length} chats at once on one server, ${seconds.toFixed(1)} s; load ${loadavg()[0]!.toFixed(1)}\n`)
  console.log('| | one alone | p50 | p95 | limit |\n|---|---|---|---|---|')
  console.log(
    `| first event, ms | ${ms(alone.first)} | ${ms(at(first, 0.5))} | ${ms(at(first, 0.95))} | ${FIRST_EVENT} |`,
  )
  console.log(`| end, ms | ${ms(alone.end)} | ${ms(at(end, 0.5))} | ${ms(at(end, 0.95))} | |`)
  console.log(`\nlost or wrong answers: ${lost}; messages stored: ${stored} of ${(many.length + 2) * 2}`)
  console.log(`memory of the server at its most: ${memory.toFixed(0)} MB (limit ${MOST_MEMORY})`)
  const isGood = lost === 0 && stored === (many.length + 2) * 2 && memory < MOST_MEMORY && at(first, 0.95) < FIRST_EVENT
  process.exitCode = isGood ? 0 : 1
} finally {
  server.kill('SIGTERM')
  await new Promise((gone) => server.once('exit', gone))
  await model.close()
  rmSync(place, { recursive: true, force: true })
}

async function prepare(): Promise<void> {
  const database = ownSqlite(join(folder, 'shop.db'))
  await makeShop(database, 'sqlite')
  await database.close()
  writeFileSync(
    join(folder, 'ken.yaml'),
    stringify({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] }),
  )
  const ken = openKen(environment, () => {})
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: folder })
  for (const [name, input] of [
    ['init', { name: 'shop' }],
    ['config_set', { name: 'memory.learn', value: 'false' }],
    ['sync_sources', {}],
  ] as const)
    await call(
      ctx,
      OPERATIONS.find((one) => one.name === name)!,
      input,
    )
  await ken.close()
}

async function serve(): Promise<{ server: ChildProcess; url: string; token: string }> {
  const words = ['bin/ken.js', 'serve', '--http', '--port', '0', '--toolsets', 'data,app', '--project', folder]
  const own = spawn(
    process.execPath,
    words.map((word, i) => (i === 0 ? join(root, word) : word)),
    {
      cwd: folder,
      env: environment,
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  )
  let said = ''
  const address = await new Promise<string>((found, failed) => {
    own.once('exit', () => failed(new Error(said)))
    own.stderr!.on('data', (data: Buffer) => {
      said += data
      const listening = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      if (listening !== undefined && said.includes('Token')) found(listening)
    })
  })
  return { server: own, url: address, token: readFileSync(join(place, 'home/http-token'), 'utf8').trim() }
}

async function ask(question: string): Promise<{ first: number; end: number; text: string }> {
  const started = performance.now()
  const response = await fetch(`${url}/v1/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ question: `How many orders? ${question}` }),
  })
  let heard = ''
  let first = 0
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    heard += chunk
    if (first === 0 && heard.includes('event: chat')) first = performance.now() - started
  }
  const told = /event: answer\n(?:id: .*\n)?data: (.*)\n/.exec(heard)?.[1]
  const { text = '' } = told === undefined ? {} : (JSON.parse(told) as { text?: string })
  return { first, end: performance.now() - started, text }
}

/** Counts the stored messages at the end, from a separate process as another reader would see them. */
async function countStored(): Promise<number> {
  const ken = openKen(environment, () => {})
  const state = await ken.context({ origin: { surface: 'cli' }, cwd: folder }).analystState()
  const chats = await state.chats.list({ user: 'local', limit: 10_000 })
  let messages = 0
  for (const { id } of chats)
    messages += (await state.log.messages(id)).filter(({ end }) => end?.reason === 'answered').length
  await ken.close()
  return messages
}

function at(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))]!
}

function ms(milliseconds: number): string {
  return milliseconds.toFixed(0)
}
