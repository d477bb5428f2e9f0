import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readServers } from '../../src/context/domain/tool-server/server-config.ts'
import { openContextDesk, type ContextDesk } from '../context/context-desk.ts'

// agent/mcps/mcp.json comes with a clone: its servers are started only once the user trusts exactly that content.

const SERVER = resolve(import.meta.dirname, '../fixtures/mcp/server.mjs')

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk({ SHELF_TOKEN: 'a-long-secret-token', LATER: 'v' }, { trusted: false })
  desk.configure({ name: 'shop' })
})
afterEach(() => desk.close())

const write = (servers: object): void => desk.write('agent/mcps/mcp.json', JSON.stringify({ mcpServers: servers }))
const shelf = (...more: string[]) => ({
  command: process.execPath,
  args: [SERVER, 'plain', desk.path('seen'), ...more],
})
const wasStarted = (): boolean => existsSync(desk.path('seen.started'))
const trustIt = () => desk.run('trust', { yes: true })
const listed = async (input = {}) => (await desk.run('mcps_list', input))['servers'] as Record<string, any>[]

describe('before it is trusted', () => {
  test('starts nothing, whatever is called, and explains how to trust it', async () => {
    write({ shelf: shelf() })
    expect((await listed())[0]).toMatchObject({
      name: 'shelf',
      state: 'untrusted',
      tools: [],
      problem: expect.stringMatching(/^mcp\/shelf is not trusted yet; it would run /),
      hint: expect.stringContaining('ken trust'),
    })
    expect((await desk.run('mcps_test', {}))['servers'][0]).toMatchObject({ ok: false })
    await desk.run('sync_sources', {})
    expect(wasStarted()).toBe(false)
  })

  test('shows everything that would be trusted: program, arguments, variables, headers and addresses', async () => {
    write({
      shelf: {
        command: 'npx',
        args: ['-y', 'a shelf', '${LATER}'],
        env: { SHELF_TOKEN: '${SHELF_TOKEN}', NODE_OPTIONS: '--require=x' },
      },
      web: {
        url: 'https://mcp.example.com/mcp',
        headers: { Authorization: 'Bearer ${SHELF_TOKEN}' },
        allowPrivate: true,
      },
    })
    const { projects } = await desk.run('trust', {})
    expect(Object.fromEntries(projects[0].entries.map((one: any) => [one.entry, one.reaches]))).toEqual({
      'mcp/shelf': [
        'run npx -y "a shelf" "${LATER}"',
        'give it the variable NODE_OPTIONS --require=x',
        'give it the variable SHELF_TOKEN ${SHELF_TOKEN}',
        'take LATER from the environment',
        'take SHELF_TOKEN from the environment',
      ],
      'mcp/web': [
        'fetch https://mcp.example.com/mcp with addresses of a private network allowed',
        'give it the header Authorization Bearer ${SHELF_TOKEN}',
        'take SHELF_TOKEN from the environment',
      ],
    })
  })

  test('refuses a plain-text secret and does not show it', async () => {
    write({ web: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer hunter2-hunter2' } } })
    await trustIt()
    const [row] = await listed()
    expect(row!['problem']).toBe('agent/mcps/mcp.json: mcp/web: "headers.Authorization" contains a plain-text secret.')
    expect(JSON.stringify(row)).not.toContain('hunter2')
  })
})

describe('once it is trusted', () => {
  test('lists the tools of a server, and tests the server', async () => {
    write({ shelf: shelf(), broken: { command: 'x', url: 'y' } })
    await trustIt()
    const rows = await listed()
    expect(rows.map(({ name, state }) => [name, state])).toEqual([
      ['shelf', 'allowed'],
      ['broken', 'faulty'],
    ])
    expect(rows[0]!['tools'][0]).toEqual({
      name: 'shelf__add',
      description: 'From the MCP server "shelf", in its own words: Adds two numbers.',
    })
    expect(rows[1]!['problem']).toBe(
      'agent/mcps/mcp.json, "broken": give either "command", for a program, or "url", for an address.',
    )
    expect((await desk.run('mcps_test', { server: 'shelf' }))['servers']).toMatchObject([{ ok: true }])
    await expect(desk.run('mcps_test', { server: 'shelv' })).rejects.toThrow('No MCP server named "shelv".')
  })

  test.each([
    ['a word', { args: [SERVER, 'plain', 'other'] }],
    ['a variable', { env: { LD_PRELOAD: './x.so' } }],
    ['a program', { command: '/usr/bin/env' }],
  ])('must be trusted again when %s changes', async (_what, change) => {
    write({ shelf: shelf() })
    await trustIt()
    expect((await listed({ quick: true }))[0]!['state']).toBe('allowed')
    write({ shelf: { ...shelf(), ...change } })
    expect((await listed({ quick: true }))[0]).toMatchObject({
      state: 'untrusted',
      problem: expect.stringMatching(/^mcp\/shelf changed since you trusted it: /),
    })
  })

  test('must be trusted again when a program inside the clone changes', async () => {
    desk.write('agent/mcps/own.mjs', readFileSync(SERVER, 'utf8'))
    write({ own: { command: process.execPath, args: ['agent/mcps/own.mjs'] } })
    await trustIt()
    expect((await listed({ quick: true }))[0]!['state']).toBe('allowed')
    writeFileSync(desk.path('agent/mcps/own.mjs'), 'steal()')
    expect((await listed({ quick: true }))[0]!['problem']).toMatch(/own\.mjs as it is now \(#[0-9a-f]{12}\) \(new\)/)
  })

  test('names the variable that is not set', async () => {
    write({ shelf: { ...shelf(), env: { X: '${NOWHERE_SET}' } } })
    await trustIt()
    expect((await listed())[0]).toMatchObject({ state: 'faulty', problem: 'NOWHERE_SET is not set.' })
    expect(wasStarted()).toBe(false)
  })

  test('skips a disabled server', async () => {
    write({ shelf: { ...shelf(), disabled: true } })
    await trustIt()
    expect((await listed())[0]!['state']).toBe('off')
    expect(wasStarted()).toBe(false)
  })
})

describe('the file', () => {
  test('may have comments and unknown settings', () => {
    const { servers, faults } = readServers(
      '// ours\n{"mcpServers": {"a": {"type":"stdio","command":"x","alwaysAllow":["y"],},}}',
    )
    expect([servers.map(({ name }) => name), faults]).toEqual([['a'], []])
  })

  test.each<[string, RegExp]>([
    ['{"mcpServers": ', /^it /],
    ['[]', /a list or plain value/],
    ['{}', /no "mcpServers"/],
    [`{"mcpServers": ${'['.repeat(5_000)}`, /nested more than/],
    ['x'.repeat(300_000), /larger than 256 KB/],
  ])('%.20s is reported in one line', (text, says) => {
    const { servers, faults } = readServers(text)
    expect(servers).toEqual([])
    expect(faults).toHaveLength(1)
    expect(faults[0]!.problem).toMatch(says)
  })

  test('keeps its valid servers beside invalid ones', () => {
    const { servers, faults } = readServers(
      JSON.stringify({
        mcpServers: {
          good: { command: 'x' },
          '../up': { command: 'x' },
          args: { command: 'x', args: 'y' },
          old: { type: 'sse', url: 'https://x' },
          none: {},
          what: 7,
        },
      }),
    )
    expect(servers.map(({ name }) => name)).toEqual(['good'])
    expect(faults.map(({ name }) => name)).toEqual(['../up', 'args', 'old', 'none', 'what'])
  })

  test('is not read if it links outside the project, and agents cannot read it', async () => {
    desk.write('../private.json', JSON.stringify({ mcpServers: { private: { command: 'x' } } }))
    mkdirSync(desk.path('agent/mcps'), { recursive: true })
    symlinkSync('../../../private.json', desk.path('agent/mcps/mcp.json'))
    expect(JSON.stringify(await listed())).not.toContain('private')
    await expect(desk.run('read_file', { path: 'agent/mcps/mcp.json' })).rejects.toMatchObject({ code: 'forbidden' })
  })
})
