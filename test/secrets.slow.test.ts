import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SURROUNDINGS } from '../eval/secrets/make.ts'
import { tunedSecrets } from '../eval/secrets/secrets-tuned.ts'
import { openKen, type Ken } from '../src/app/open.ts'
import { AppError } from '../src/kernel/domain/errors.ts'
import { toAppError } from '../src/kernel/domain/to-app-error.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import { formatDecision } from '../src/record/domain/decision/format.ts'
import { runHook } from '../src/surfaces/cli/hook.ts'
import { buildHttpApp } from '../src/surfaces/http/app.ts'
import { buildMcpServer } from '../src/surfaces/mcp/server.ts'

const SECRETS = tunedSecrets()
/** One secret of each kind that is recognised by its shape. */
const TOKENS = SECRETS.filter(
  ({ secret, text, kind }, i) =>
    SURROUNDINGS.some((around) => around(secret) === text) && SECRETS.findIndex((other) => other.kind === kind) === i,
).map(({ secret }) => secret)
const textOf = (from: number, to: number) =>
  SECRETS.slice(from, to)
    .map(({ text }) => text)
    .join('\n\n')
const TEXT = textOf(0, SECRETS.length)

let place: string
let ken: Ken
let ctx: Context

beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-secrets-')))
  mkdirSync(join(place, 'repo'))
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_EMBEDDINGS: '0', KEN_UPKEEP: '0' }, () => {})
  ctx = ken.context({ origin: { surface: 'cli' }, cwd: join(place, 'repo') })
  await run('init', { name: 'shop' })
})
afterEach(async () => {
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

async function run(
  name: string,
  input: Record<string, unknown> = {},
): Promise<{ output: Record<string, any>; text: string }> {
  const operation = OPERATIONS.find((op) => op.name === name)!
  const answer = await call(ctx, operation, input)
  return { output: answer.output, text: answerText(operation, answer, 'pipe') }
}

/** Pieces of eight characters of a secret that occur in a text. */
function leaks(text: string): string[] {
  return SECRETS.filter(({ secret }) =>
    Array.from({ length: Math.max(1, secret.length - 7) }, (_, at) => secret.slice(at, at + 8)).some((part) =>
      text.includes(part),
    ),
  ).map(({ kind }) => kind)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

const leakingFiles = (folder: string): string[] =>
  filesBelow(folder).filter((path) => leaks(readFileSync(path, 'latin1')).length > 0)

async function recordFolder(): Promise<string> {
  return (await ctx.record()).project.location
}

describe('on input', () => {
  test('a decision is stored without its secrets everywhere, and the author is notified', async () => {
    const { output, text } = await run('propose_decision', {
      title: `Sign with ${TOKENS[0]}`,
      rationale: textOf(0, 50),
      rejected: [
        { alternative: 'The old one', reason: textOf(90, 110) },
        { alternative: `The old ${TOKENS[1]}`, reason: 'It expired.' },
      ],
      files_affected: [`deploy/${TOKENS[2]}.env`],
    })
    expect(output['status']).toBe('confirmed')
    expect(output['redacted']).toBeGreaterThan(50)
    expect(text).toMatch(/\d+ secrets were taken out before this was stored\./)
    expect(leaks(JSON.stringify(output) + text)).toEqual([])
    expect(leakingFiles(place)).toEqual([])
    expect(leaks(JSON.stringify(await (await ctx.record()).snapshots.read(2)))).toEqual([])
  })

  test.each([
    [
      'flag_question',
      (secret: string) => ({ question: `Who owns ${secret}?`, context: `It was in the log: ${secret}` }),
    ],
    ['update_state', (secret: string) => ({ delta: `Deployed with ${secret}` })],
    ['jot', (secret: string) => ({ text: `Is ${secret} still in use?` })],
    [
      'memory_write',
      (secret: string) => ({ content: `The sandbox takes ${secret}`, tags: secret.length <= 64 ? [secret] : [] }),
    ],
  ])('%s stores no secret and reports the redaction', async (name, input) => {
    for (const secret of TOKENS.filter((_, i) => i % 9 === 0)) {
      const { output, text } = await run(name, input(secret))
      expect(output['redacted'], secret).toBeGreaterThan(0)
      expect(text, secret).toMatch(/taken out/)
    }
    expect(leakingFiles(place)).toEqual([])
  })

  test('imported files are redacted, and names and hashes match the written text', async () => {
    mkdirSync(join(place, 'adr'))
    for (const [i, secret] of TOKENS.entries()) {
      writeFileSync(
        join(place, 'adr', `${String(i + 1).padStart(4, '0')}-choice.md`),
        `# ${i + 1}. Call service ${i} with ${secret}\n\nDate: 2026-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nWe have ${secret} from the vendor.\n\n## Decision\n\nWe use ${secret} in production.\n`,
      )
    }
    const { output, text } = await run('import_adr', { path: join(place, 'adr') })
    expect(output['imported']).toHaveLength(TOKENS.length)
    expect(text).toMatch(/taken out/)
    expect(leakingFiles(join(place, 'home'))).toEqual([])
    expect((await run('doctor')).output).toMatchObject({ clean: true })
  })

  test('after a redaction the record agrees with its journal and hashes', async () => {
    const proposal = { title: 'Keep the vendor key out of the image', rationale: `It was ${TOKENS[3]} in the image.` }
    await run('propose_decision', proposal)
    expect((await run('doctor')).output).toMatchObject({ clean: true })
    expect((await run('verify')).output).toMatchObject({ discrepancies: [] })
    expect((await run('propose_decision', proposal)).output).toMatchObject({ status: 'rejected' })
  })
})

describe('on output', () => {
  let folder: string

  /** A record from an earlier version: secrets in every file. */
  beforeEach(async () => {
    folder = await recordFolder()
    const decision = {
      num: 2,
      title: `Pay with ${TOKENS[0]}`,
      rationale: TEXT,
      rejected: [{ name: `The old ${TOKENS[1]}`, reason: TEXT }],
      date: '2026-01-01',
      confidence: 'high',
      version: 1,
      status: 'active',
      decision_type: null,
      reversibility: null,
      source: 'manual',
      files_affected: [],
      supersedes: null,
      superseded_by: null,
      body: '',
      content: '',
    } as const
    writeFileSync(join(folder, 'decisions/002-pay.md'), formatDecision(decision))
    writeFileSync(
      join(folder, 'open-questions.md'),
      `# Open Questions\n\n## Open\n\n- [Q1] [2026-01-01 00:00 UTC] Who owns ${TOKENS[2]}?\n`,
    )
    writeFileSync(join(folder, 'state_current.md'), `# Current State\n\n${TEXT}\n`)
    writeFileSync(join(folder, 'stack.md'), `# Stack\n\n${TEXT}\n`)
    // Bypasses the guard, so that journal and snapshots also contain the secrets.
    await (
      await ctx.record()
    ).commit({ surface: 'cli' }, async (draft) => {
      draft.write('project.md', `# Shop\n\n${TEXT}\n`)
      draft.note('edit', { said: TEXT })
      draft.snapshot(`said: ${TOKENS[4]}`, TEXT)
    })
  })

  test.each([
    ['get_context', { level: 'L0' }],
    ['get_context', { level: 'L1' }],
    ['get_context', { level: 'L2' }],
    ['get_decision', { number: 2 }],
    ['list_decisions', {}],
    ['check_decision', { proposed_approach: `pay with ${TOKENS[0]!.slice(0, 40)}` }],
    ['search_decisions', { query: 'pay' }],
    ['get_raw_file', { path: 'state_current.md' }],
    ['get_raw_file', { path: 'decisions/002-pay.md' }],
    ['diff_since_last_session', {}],
    ['questions', {}],
    ['journal', {}],
    ['log', {}],
    ['status', {}],
    ['graph', { output: '-' }],
    ['graph', { output: '-', format: 'json' }],
    ['doctor', {}],
    ['verify', {}],
    ['repair', { dry_run: true }],
    ['restore', { version: '1', dry_run: true }],
  ])('%s %j shows no secret', async (name, input) => {
    const { output, text } = await run(name, input)
    expect(leaks(JSON.stringify(output))).toEqual([])
    expect(leaks(text)).toEqual([])
  })

  test('exported decisions, the graph page and AGENTS.md contain no secret', async () => {
    await run('export_adr', { folder: join(place, 'out') })
    await run('graph', { output: join(place, 'out', 'graph.html') })
    await run('agents_md', {})
    expect(filesBelow(join(place, 'out')).length).toBeGreaterThan(1)
    expect(leakingFiles(join(place, 'out'))).toEqual([])
    expect(leakingFiles(join(place, 'repo'))).toEqual([])
  })

  test.each(['session-start', 'prompt'])('the hook at %s passes no secret to the agent', async (event) => {
    const store = await ctx.record()
    const memory = { recall: async () => ({ shown: [], openedAt: undefined }), remember: async () => {} }
    const input = [
      JSON.stringify({ session_id: 's', prompt: 'Shall we pay with the old one?' }),
    ] as unknown as AsyncIterable<string>
    const answer = await runHook([event, '--client', 'claude-code'], input, async () => ({
      store,
      memory,
      now: new Date(),
    }))
    expect(event === 'prompt' || answer.length > 0).toBe(true)
    expect(leaks(answer)).toEqual([])
  })

  test('MCP shows no secret in tools, errors and resources', async () => {
    const server = buildMcpServer({
      operations: OPERATIONS,
      toolsets: ['record'],
      version: '0',
      surface: 'mcp-stdio',
      context: async () => ctx,
    })
    const [near, far] = InMemoryTransport.createLinkedPair()
    await server.connect(far)
    const client = new Client({ name: 'test-agent', version: '9' })
    await client.connect(near)
    const { resources } = await client.listResources()
    const answers = [
      ...(await Promise.all(resources.map(({ uri }) => client.readResource({ uri })))),
      await client.callTool({ name: 'get_context', arguments: { level: 'L2' } }),
      await client.callTool({ name: 'get_decision', arguments: { number: 2 } }),
      await client.callTool({ name: 'get_raw_file', arguments: { path: `${TOKENS[5]}.md` } }),
    ]
    await client.close()
    expect(resources.length).toBeGreaterThan(4)
    expect(leaks(JSON.stringify(answers))).toEqual([])
  })

  test('REST shows no secret in answers and errors', async () => {
    const app = buildHttpApp({
      operations: OPERATIONS,
      version: '0',
      context: async () => ctx,
      programs: { accepts: () => true, mcp: async () => new Response() },
    })
    const ask = async (name: string, input: object) =>
      (
        await app.request(`http://127.0.0.1/v1/${name}`, {
          method: 'POST',
          headers: { host: '127.0.0.1', authorization: 'Bearer t' },
          body: JSON.stringify(input),
        })
      ).text()
    const answers = [
      await ask('get_context', { level: 'L2' }),
      await ask('get_decision', { number: 2 }),
      await ask('get_raw_file', { path: `${TOKENS[5]}.md` }),
      await ask('search_decisions', { query: 'pay' }),
    ]
    expect(answers[0]).toContain('[redacted]')
    expect(leaks(answers.join('\n'))).toEqual([])
  })

  test('the memory index has no secret from the record among its words', async () => {
    await run('memory_update', {})
    expect(filesBelow(join(place, 'home')).filter((path) => path.includes('index.db') && indexLeaks(path))).toEqual([])
  })

  test('a change to a record with secrets keeps journal and hashes consistent', async () => {
    const before = (await run('verify')).output
    await run('update_state', { delta: 'Moved on' })
    await run('propose_decision', {
      title: 'Pay with the new provider',
      rationale: 'The old one was shown around.',
      operation: 'supersede',
      affected_decision_id: 'D2',
    })
    const after = (await run('verify')).output
    expect(
      after['discrepancies'].filter(
        (d: { path: string }) => !before['discrepancies'].some((old: { path: string }) => old.path === d.path),
      ),
    ).toEqual([])
    expect(leaks(readFileSync(join(folder, 'state_current.md'), 'utf8'))).toEqual([])
    expect(leaks(readFileSync(join(folder, 'decisions/002-pay.md'), 'utf8'))).toEqual([])
  })
})

describe('the memory', () => {
  const LINES = 30

  beforeEach(async () => {
    const { block } = keyBlock()
    const session = join(place, 'home', 'sessions', 'global')
    for (const folder of [session, join(place, 'home', 'memory'), join(place, 'docs'), join(place, 'code')])
      mkdirSync(folder, { recursive: true })
    writeFileSync(join(session, '2026-01-01-deploy-0123456789ab.md'), `# Deploy\n\n## User\n\n${TEXT}\n`)
    writeFileSync(
      join(place, 'home', 'memory', 'MEMORY.md'),
      `# Notes\n\nThe orchard gate key:\n${block}\nend of the orchard key\n\n${TEXT}\n`,
    )
    writeFileSync(join(place, 'docs', 'handbook.md'), `# Handbook\n\n${TEXT}\n`)
    writeFileSync(
      join(place, 'code', 'client.ts'),
      TOKENS.map((token, i) => `export const orchard${i} = '${token}'\n`).join(''),
    )
    await run('collection_add', { path: join(place, 'docs'), name: 'docs' })
    await run('config_set', { name: 'codebase.roots', value: join(place, 'code') })
    await run('memory_update', {})
  })

  function keyBlock(): { block: string; body: string } {
    const { secret, text } = SECRETS.find(({ kind }) => kind === 'private key block')!
    return { block: text.slice(text.indexOf('-----BEGIN'), text.lastIndexOf('-----') + 5), body: secret }
  }

  test('no line range shows a line of a key block', async () => {
    for (let from = 1; from < LINES; from++) {
      const { output, text } = await run('memory_get', {
        id: join(place, 'home', 'memory', 'MEMORY.md'),
        from_line: from,
        max_lines: 2,
      })
      expect(leaks(JSON.stringify(output) + text), `from line ${from}`).toEqual([])
    }
    const { output } = await run('memory_multi_get', { pattern: '**/*', max_bytes: 1_000_000 })
    expect(leaks(JSON.stringify(output))).toEqual([])
  })

  test.each(['orchard', 'deploy', 'handbook staging', 'password', 'client'])(
    'a search for "%s" shows no secret in its snippets',
    async (query) => {
      for (const name of ['memory_search', 'memory_query']) {
        const { output, text } = await run(name, { query, limit: 20 })
        expect(output['results'].length).toBeGreaterThan(0)
        expect(leaks(JSON.stringify(output) + text)).toEqual([])
      }
    },
  )

  test('no word, title or symbol in the index is a piece of a secret, in notes, sessions, documents and code', async () => {
    expect((await run('memory_search', { query: 'orchard0' })).output['results'].length).toBeGreaterThan(0)
    expect(filesBelow(join(place, 'home')).filter((path) => path.includes('index.db') && indexLeaks(path))).toEqual([])
  })
})

test('an error contains no secret', () => {
  const error = toAppError(
    new AppError('conflict', `There is ${TOKENS[0]} already.`, {
      hint: `Use ${TOKENS[1]}.`,
      details: { seen: [TOKENS[2]] },
    }),
  )
  expect(leaks(error.line + JSON.stringify(error.details))).toEqual([])
  expect(leaks(toAppError(new Error(`cannot connect: postgresql://app:${'hunter'}2hunter2@db/shop`)).line)).toEqual([])
  expect(toAppError(new Error(`cannot connect: postgresql://app:${'hunter'}2hunter2@db/shop`)).line).not.toContain(
    'hunter2hunter2',
  )
})

/** Words are stored in lower case. */
function indexLeaks(path: string): boolean {
  const bytes = readFileSync(path, 'latin1').toLowerCase()
  return TOKENS.some((secret) =>
    secret
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((part) => part.length >= 10 && bytes.includes(part)),
  )
}
