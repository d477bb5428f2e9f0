import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { AGENT_CLIENTS, type AgentClientName } from '../src/kernel/domain/agent-client-name.ts'
import { openStandIn, recorded, type StandInDesk, type StandInOptions } from './agent-clients/stand-in-desk.ts'
import { all, describeAgentClient, failureOf } from './contract/agent-client.contract.ts'
import { GITHUB_TOKEN } from './contract/secret-samples.ts'

for (const name of AGENT_CLIENTS)
  describeAgentClient(name, { open: (scene) => openStandIn(name, recorded(name, scene)) })

/** Asserts that the client fails as expected and leaves nothing behind; returns the error line. */
async function lineOf(name: AgentClientName, options: StandInOptions, also?: (desk: StandInDesk) => void) {
  const desk = await openStandIn(name, options)
  try {
    const failure = await failureOf(all(desk))
    expect(failure.code).toBe('unavailable')
    expect(await desk.alive()).toEqual([])
    also?.(desk)
    return failure.line
  } finally {
    await desk.close()
  }
}

describe.each(AGENT_CLIENTS)('%s', (name) => {
  const answer = recorded(name, 'answers').prints!

  test('reports garbage output in an error line, without an answer', async () => {
    const prints = [
      '<html>\u0000\u001B[31m{{{\n',
      '[1,2]\n',
      '"text"\n',
      'null\n',
      '{"type":"text"}\n',
      '{"item":7,"part":[]}\n',
    ]
    expect(await lineOf(name, { prints })).toMatch(/^[\w ]+: .{3,600}$/)
  })

  test('reads malformed events as far as possible', async () => {
    const half = answer.flatMap((line) => [
      line.replaceAll(/"(?:id|callID|tool_id|name|tool|text|content)":/g, '"x":'),
      line.slice(0, -20),
    ])
    expect(await lineOf(name, { prints: half, code: 3 })).toMatch(/^[\w ]+: .{3,600}$/)
  })

  test('reports a client that is killed midway as killed', async () => {
    expect(await lineOf(name, { prints: answer.slice(0, -2), ends: 'killed' })).toContain('it was killed (SIGKILL)')
  })

  test('quotes the error output of a failed client, without secrets and colours', async () => {
    const line = await lineOf(name, { complains: `\u001B[31mcannot use ${GITHUB_TOKEN} today\u001B[0m\n`, code: 1 })
    expect(line).toContain('today')
    expect(line).not.toContain(GITHUB_TOKEN)
    expect(line).not.toContain('\u001B')
  })

  test('stops a client that prints endlessly', async () => {
    expect(await lineOf(name, { prints: answer.slice(0, 2), ends: 'flood' })).toContain('printed more than')
  })

  test('treats an answer without Ken’s server as failed', async () => {
    expect(await lineOf(name, { prints: answer, withoutServer: true })).toContain("did not start Ken's own server")
  })

  test('suggests an update if the client does not support a flag', async () => {
    expect(await lineOf(name, { complains: "error: unknown option '--tools'\n", code: 1 })).toContain('Update it')
  })

  test('passes the requested model to the client', async () => {
    const desk = await openStandIn(name, recorded(name, 'answers'))
    try {
      const client = await desk.open('big-1')
      expect(client.id).toBe(`agent:${name}:big-1`)
      await all({ client, server: desk.server })
      expect(desk.seen().words).toContain('--model=big-1')
    } finally {
      await desk.close()
    }
  })

  test('leaves no files from a run in the temporary folder', async () => {
    const before = readdirSync(tmpdir()).filter((file) => /^ken-[A-Za-z0-9]{6}$/.test(file))
    const desk = await openStandIn(name, recorded(name, 'answers'))
    await all(desk)
    await desk.close()
    const after = readdirSync(tmpdir()).filter((file) => /^ken-[A-Za-z0-9]{6}$/.test(file))
    expect(after.filter((file) => !before.includes(file))).toEqual([])
  })

  test('stops a client that stops responding', async () => {
    const desk = await openStandIn(name, { ...recorded(name, 'hangs'), silence: 1_500 })
    try {
      const failure = await failureOf(all(desk))
      expect(failure.line).toContain('it said nothing for 2 s')
      expect(await desk.alive()).toEqual([])
    } finally {
      await desk.close()
    }
  })
})

describe('a client without a login', () => {
  const without: Partial<Record<AgentClientName, StandInOptions>> = {
    'claude-code': { short: { 'auth status': { prints: '{"loggedIn": false}', code: 1 } } },
    codex: { short: { 'login status': { prints: 'Not logged in', code: 1 } } },
    gemini: { environment: { GEMINI_API_KEY: '' } },
  }
  test.each(Object.keys(without) as AgentClientName[])(
    '%s is not started, and the error explains how to log in',
    async (name) => {
      const desk = await openStandIn(name, without[name])
      try {
        expect(await desk.client.problem()).toMatch(/^[\w ]+ is not logged in\. Run `.+, then ask again\.$/)
        expect((await failureOf(all(desk))).line).toBe(await desk.client.problem())
        expect(await desk.sent()).toBe('')
      } finally {
        await desk.close()
      }
    },
  )
})

describe('user configuration of a client', () => {
  test('codex: other servers, the notifier and hooks are disabled; a custom provider needs no login', async () => {
    const config = 'model_provider = "mine"\n[model_providers.mine]\nenv_key = "MY_KEY"\n'
    const desk = await openStandIn('codex', {
      ...recorded('codex', 'answers'),
      files: { '.codex/config.toml': config },
      environment: { MY_KEY: 'k', OTHER_KEY: 'k' },
      short: { 'mcp list --json': { prints: '[{"name":"mine"},{"name":"with \\"space"},{"name":"ken"}]', code: 0 } },
    })
    try {
      await all(desk)
      const { words, environment } = desk.seen()
      expect(words).toEqual(
        expect.arrayContaining([
          'mcp_servers.mine.enabled=false',
          'mcp_servers."with \\"space".enabled=false',
          'notify=[]',
          'features.hooks=false',
          'sandbox_mode="read-only"',
          'approval_policy="never"',
          'mcp_servers.ken.enabled_tools=["execute_sql","describe_table"]',
        ]),
      )
      expect(words).not.toContain('mcp_servers.ken.enabled=false')
      expect([environment['MY_KEY'], environment['OTHER_KEY']]).toEqual(['k', undefined])
    } finally {
      await desk.close()
    }
  })

  test('codex is not started if it does not list the servers it would start', async () => {
    const short = { 'login status': { prints: '', code: 0 }, 'mcp list --json': { prints: 'bad config', code: 1 } }
    expect(await lineOf('codex', { short })).toContain('codex mcp list --json')
  })

  test('opencode: other servers and all other tools are disabled', async () => {
    const desk = await openStandIn('opencode', {
      ...recorded('opencode', 'answers'),
      files: {
        '.config/opencode/opencode.jsonc': '{ // mine\n "mcp": { "mine": { "type": "local" } }, "x": "{env:MY_KEY}" }',
      },
      environment: { MY_KEY: 'k' },
    })
    try {
      await all(desk)
      const config = JSON.parse(desk.seen().environment['OPENCODE_CONFIG_CONTENT']!)
      expect(config.mcp.mine).toEqual({ enabled: false })
      expect(config.agent.ken.permission).toEqual({ '*': 'deny', 'ken_*': 'allow' })
      expect(desk.seen().environment['MY_KEY']).toBe('k')
    } finally {
      await desk.close()
    }
  })

  test('claude-code: only the login is taken from the user’s settings', async () => {
    const settings = {
      apiKeyHelper: '/bin/key',
      hooks: { SessionStart: [] },
      env: { ANTHROPIC_BASE_URL: 'http://gateway', SECRET: 'no' },
    }
    const desk = await openStandIn('claude-code', {
      ...recorded('claude-code', 'answers'),
      files: { '.claude/settings.json': JSON.stringify(settings) },
    })
    try {
      await all(desk)
      const { files, environment, words } = desk.seen()
      expect(JSON.parse(files['settings.json']!)).toEqual({ apiKeyHelper: '/bin/key' })
      expect([environment['ANTHROPIC_BASE_URL'], environment['SECRET']]).toEqual(['http://gateway', undefined])
      expect(words.join(' ')).toContain('--setting-sources  --disable-slash-commands')
    } finally {
      await desk.close()
    }
  })
})

describe('stops a client that exceeds its permissions', () => {
  test.each([
    [
      'codex',
      '{"type":"item.started","item":{"id":"i","type":"command_execution","command":"rm","status":"in_progress"}}',
    ],
    ['codex', '{"type":"item.completed","item":{"id":"i","type":"web_search","query":"x"}}'],
    ['claude-code', '{"type":"system","subtype":"init","session_id":"s","tools":["Bash"],"mcp_servers":[]}'],
    ['claude-code', '{"type":"system","subtype":"init","session_id":"s","tools":[],"mcp_servers":[{"name":"mine"}]}'],
  ] as const)('%s: %s', async (name, line) => {
    expect(await lineOf(name, { prints: [`${line}\n`], ends: 'hang' })).toContain('which it must not, and was ended')
  })

  test('codex continues after a refusal', async () => {
    const refused = '{"type":"item.completed","item":{"id":"i","type":"file_change","status":"failed"}}\n'
    const desk = await openStandIn('codex', { prints: [refused, ...recorded('codex', 'answers').prints!] })
    try {
      expect((await all(desk)).at(-1)).toMatchObject({ type: 'end', reason: 'stop' })
    } finally {
      await desk.close()
    }
  })
})
