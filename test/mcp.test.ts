import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const KEN = join(import.meta.dirname, '..', 'bin', 'ken.js')
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-mcp-')))
const environment = { PATH: process.env['PATH']!, HOME: place, KEN_HOME: join(place, 'home') }
let client: Client

beforeAll(async () => {
  execFileSync(process.execPath, [KEN, 'init', 'shop', '--demo'], { cwd: place, env: environment })
  client = new Client({ name: 'test-agent', version: '9' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', '--toolsets', 'record'],
      cwd: place,
      env: environment,
      stderr: 'pipe',
    }),
  )
}, 60_000)

afterAll(async () => {
  await client?.close()
  rmSync(place, { recursive: true, force: true })
})

const call = async (name: string, input: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: input })
  const [block] = result.content as { type: string; text: string }[]
  return {
    isError: result.isError === true,
    text: block?.text ?? '',
    data: result.structuredContent as Record<string, never>,
  }
}

describe('the stdio server', () => {
  test('offers the ten tools of the record, each closed-world, and pays less than 12 KB for them', async () => {
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual([
      'get_context',
      'get_raw_file',
      'list_decisions',
      'get_decision',
      'diff_since_last_session',
      'search_decisions',
      'check_decision',
      'propose_decision',
      'flag_question',
      'update_state',
    ])
    for (const tool of tools) expect(tool.annotations).toMatchObject({ openWorldHint: false })
    expect(tools.find((tool) => tool.name === 'check_decision')?.annotations).toMatchObject({
      readOnlyHint: true,
      idempotentHint: true,
    })
    expect(tools.find((tool) => tool.name === 'propose_decision')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    })
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(12 * 1024)
  })

  test('stays below 12 KB with what a server offers by default', async () => {
    const other = new Client({ name: 'test-agent', version: '9' })
    await other.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [KEN, 'serve', '--stdio'],
        cwd: place,
        env: { ...environment, KEN_UPKEEP: '0' },
        stderr: 'pipe',
      }),
    )
    const { tools } = await other.listTools()
    await other.close()
    expect(tools.map((tool) => tool.name)).toContain('memory_query')
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(12 * 1024)
  })

  test('tells an agent when to call what', () => {
    expect(client.getInstructions()).toMatch(/get_context/)
    expect(client.getInstructions()).toMatch(/Before you choose[\s\S]*check_decision/)
    expect(client.getInstructions()!.length).toBeLessThan(2000)
  })

  test('answers with text and with data', async () => {
    const answer = await call('check_decision', { proposed_approach: 'Move background jobs to RabbitMQ' })
    expect(answer.text).toContain('It brings back "RabbitMQ"')
    expect(answer.data).toMatchObject({ store: 'local', project: { name: 'shop' }, verdict: 'strong' })
  })

  test('records who wrote, through which client', async () => {
    const proposal = {
      title: 'Ship a changelog',
      rationale: 'Users want to know what changed before they update.',
      decision_type: 'library_choice',
    }
    expect((await call('propose_decision', proposal)).data).toMatchObject({
      status: 'confirmed',
      decision_id: '010-ship-a-changelog',
    })
    const events = JSON.parse(
      execFileSync(process.execPath, [KEN, 'journal', '--json', '--limit', '1'], {
        cwd: place,
        env: environment,
        encoding: 'utf8',
      }),
    ).events
    expect(events[0]).toMatchObject({
      operation: 'propose_decision',
      origin: { surface: 'mcp-stdio', client: 'test-agent', client_version: '9' },
    })
    expect((await call('get_decision', { number: 10 })).text).toMatch(/decision_type: architecture[\s\S]*source: mcp/)
  })

  test('bad input is one line that says what to do, as an error result', async () => {
    expect(await call('check_decision', {})).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^proposed_approach is missing\. check_decision takes proposed_approach, context, files, .+$/,
      ),
    })
    expect(await call('get_decision', { number: 404 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no decision D404.'),
    })
    expect(await call('check_decision', { proposed_approach: 'x'.repeat(5001) })).toMatchObject({
      isError: true,
      text: expect.stringContaining('at most 5000'),
    })
    expect(await call('list_decisions', { limit: 5, colour: 'red' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('"colour"'),
    })
  })

  test('an agent may name the directory it works in', async () => {
    expect((await call('get_context', { cwd: place })).isError).toBe(false)
  })

  test('the files of the record are resources, and nothing else is', async () => {
    const { resources } = await client.listResources()
    expect(resources.map((r) => r.uri)).toContain('ken://record/project.md')
    const { contents } = await client.readResource({ uri: 'ken://record/project.md' })
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('Orchard') })
    await expect(client.readResource({ uri: 'ken://record/../../registry.json' })).rejects.toThrow()
  })

  test('prompts send to the tools that are here alone', async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts.map((p) => p.name)).toEqual(['check', 'decide', 'adopt', 'review'])
    const { messages } = await client.getPrompt({ name: 'decide', arguments: { about: 'Use NATS' } })
    expect(JSON.stringify(messages)).toContain('Use NATS')
  })
})
