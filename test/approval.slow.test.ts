import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-approval-')))
const environment = { PATH: process.env['PATH']!, HOME: place, KEN_HOME: join(place, 'home'), KEN_UPKEEP: '0' }
const ken = (...words: string[]): string =>
  execFileSync(process.execPath, [KEN, ...words], { cwd: place, env: environment, encoding: 'utf8' })

beforeAll(() => void ken('init', 'shop'), 60_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Proposes through a client that answers, or through one that has no prompts. */
async function propose(title: string, answer: 'accept' | 'decline' | 'cancel' | undefined) {
  const asked: string[] = []
  const client = new Client(
    { name: 'test-agent', version: '9' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  )
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', (request) => {
      asked.push((request.params as { message: string }).message)
      return answer === 'accept' ? { action: answer, content: {} } : { action: answer }
    })
  }
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', '--toolsets', 'record'],
      cwd: place,
      env: environment,
      stderr: 'pipe',
    }),
  )
  try {
    const result = await client.callTool({
      name: 'propose_decision',
      arguments: { title, rationale: 'Because it was measured to be the simplest thing that holds.' },
    })
    return {
      asked,
      isError: result.isError === true,
      text: (result.content as { text: string }[])[0]!.text,
      data: result.structuredContent as Record<string, unknown> | undefined,
    }
  } finally {
    await client.close()
  }
}

const SHOWN = [
  ['decisions'],
  ['context'],
  ['check', 'keep logs for a month'],
  ['search-decisions', 'logs'],
  ['get-decision', '2'],
  ['status'],
]
const MARK = /proposed by (?:an )?agents?/

const listed = (title: string): string =>
  ken('decisions')
    .split('\n')
    .find((line) => line.includes(title)) ?? ''

test('a decision recorded by an agent alone is a proposal until a person accepts it', async () => {
  const { text, data } = await propose('Keep logs for a week', undefined)
  expect(data).toMatchObject({ status: 'confirmed', trust: 'proposed by an agent' })
  expect(text).toMatch(
    /^Recorded as D002 "Keep logs for a week"\. It is marked as proposed by an agent until a person accepts it\./,
  )
  for (const words of SHOWN) expect(ken(...words), words.join(' ')).toMatch(MARK)
  expect(ken('accept', '2')).toContain('Accepted 1 decision')
  for (const words of SHOWN) expect(ken(...words), words.join(' ')).not.toMatch(MARK)
}, 120_000)

test('a proposal that a person approves in the client becomes their decision', async () => {
  const { asked, data } = await propose('Ship on Fridays', 'accept')
  expect(asked).toEqual([
    expect.stringMatching(/^Record this decision\?\n\nShip on Fridays\n\nBecause it was measured/),
  ])
  expect(data).toMatchObject({ status: 'confirmed', trust: 'approved' })
  expect(listed('Ship on Fridays')).not.toContain('proposed')
}, 60_000)

test('declining in the client records nothing, and closing the prompt leaves a proposal', async () => {
  expect(await propose('Ship on Sundays', 'decline')).toMatchObject({
    isError: true,
    text: expect.stringContaining('Declined'),
  })
  expect(listed('Ship on Sundays')).toBe('')
  expect((await propose('Ship on Mondays', 'cancel')).data).toMatchObject({ trust: 'proposed by an agent' })
  expect(listed('Ship on Mondays')).toContain('[proposed by an agent]')
}, 60_000)

test('a model argument cannot replace a person’s approval', async () => {
  const client = new Client({ name: 'sly-agent', version: '9' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', '--toolsets', 'record'],
      cwd: place,
      env: environment,
      stderr: 'pipe',
    }),
  )
  const proposal = { title: 'Trust me', rationale: 'Because a person surely would have agreed to it.' }
  for (const extra of [
    { approved: true },
    { inputResponses: { approval: { action: 'accept', content: {} } } },
    { trust: 'approved' },
  ]) {
    const result = await client.callTool({ name: 'propose_decision', arguments: { ...proposal, ...extra } })
    expect(result.isError).toBe(true)
  }
  await client.close()
  expect(listed('Trust me')).toBe('')
}, 60_000)
