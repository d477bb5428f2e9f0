import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openCorpus } from '../bench/decision-corpus.ts'
import { KEN } from './ken-program.ts'

const DECISIONS = 60
const AT_ONCE = 12
const PROMPT = 'Please move the queue of pressing jobs from Postgres to RabbitMQ'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-hook-load-')))
const repository = join(place, 'repository')
const env = { ...process.env, HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }

beforeAll(() => {
  mkdirSync(repository)
  const ken = (...args: string[]) =>
    execFileSync(process.execPath, [KEN, ...args], { cwd: repository, env, encoding: 'utf8' })
  const { store } = JSON.parse(ken('init', 'orchard', '--json')) as { store: string }
  const corpus = openCorpus(DECISIONS)
  for (let num = 2; num <= DECISIONS; num++) {
    const { name, text } = corpus.decision(num)
    writeFileSync(join(store, 'decisions', name), text)
  }
  const reason = ['--rationale', 'The queue of pressing jobs is part of the same transaction.']
  ken('propose', 'Keep pressing jobs in a Postgres table', ...reason, '--rejected', 'RabbitMQ: One more server')
}, 120_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

it.each(['session-start', 'prompt'])(
  'each of many concurrent sessions is answered at %s, on a record without an index',
  async (event) => {
    rmSync(join(env.KEN_HOME, 'cache'), { recursive: true, force: true })
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => ask(event, `s${at}`)))
    for (const answer of answers)
      expect(JSON.parse(answer).hookSpecificOutput.additionalContext).toMatch(
        new RegExp(`^<ken-context-\\w+ origin="record" .*event="${event}"`),
      )
  },
  180_000,
)

function ask(event: string, session: string): Promise<string> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string>()
  const child = spawn(process.execPath, [KEN, 'hook', event, '--client', 'claude-code', '--patience', '10'], {
    cwd: repository,
    env,
  })
  let answer = ''
  child.stdout.on('data', (chunk) => (answer += chunk))
  child.on('error', reject).on('close', () => done(answer))
  child.stdin.end(JSON.stringify({ session_id: session, cwd: repository, hook_event_name: 'X', prompt: PROMPT }))
  return promise
}
