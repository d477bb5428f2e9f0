import { describe, expect, test } from 'vitest'
import { AGENT_CLIENTS, readAgentName } from '../src/kernel/domain/agent-client-name.ts'
import { MODEL_NAME, readModelName } from '../src/kernel/domain/model-name.ts'
import { openStandIn, recorded } from './agent-clients/stand-in-desk.ts'
import { all, failureOf, textOf } from './contract/agent-client.contract.ts'

// Tests of all clients: agent-clients-stand-in.slow.test.ts; of real ones: agent-clients.slow.test.ts.

test('parses a client name with or without a model, and rejects other names', () => {
  expect(readAgentName('agent:claude-code')).toEqual({ client: 'claude-code' })
  expect(readAgentName('agent:opencode:openai/gpt-5.5:high')).toEqual({
    client: 'opencode',
    model: 'openai/gpt-5.5:high',
  })
  for (const name of ['agent:aider', 'agent:', 'codex', 'agent:codex:', 'agent:codex:--yolo', 'agent:codex:a b'])
    expect([name, readAgentName(name), MODEL_NAME.pattern.test(name)]).toEqual([name, undefined, false])
  for (const name of AGENT_CLIENTS) expect(MODEL_NAME.pattern.test(`agent:${name}`)).toBe(true)
  expect(readModelName('agent:codex')).toBeUndefined()
})

describe.each(AGENT_CLIENTS)('%s', (name) => {
  test('gets only the environment variables it needs, while Ken’s server gets all of them', async () => {
    const desk = await openStandIn(name, {
      ...recorded(name, 'answers'),
      environment: {
        PGPASSWORD: 'swordfish',
        STRIPE_KEY: 'swordfish',
        CLAUDECODE: '1',
        KEN_MODEL_NAME: `agent:${name}`,
        HTTPS_PROXY: 'http://proxy:3128',
        LC_ALL: 'C.UTF-8',
      },
    })
    try {
      expect(textOf(await all(desk))).toContain('The total is 6.5.')
      const { environment, words, input, folder, files } = desk.seen()
      expect(environment).toMatchObject({ HOME: desk.home, HTTPS_PROXY: 'http://proxy:3128', LC_ALL: 'C.UTF-8' })
      expect(Object.keys(environment)).toEqual(expect.not.arrayContaining(['PGPASSWORD', 'STRIPE_KEY', 'CLAUDECODE']))
      expect(JSON.stringify([environment, words, files])).not.toContain('swordfish')
      expect(desk.serverEnvironment()).toMatchObject({
        PGPASSWORD: 'swordfish',
        KEN_CHAT: 'c1',
        KEN_MESSAGE: 'm1',
        KEN_TOOLS: 'execute_sql,describe_table',
      })
      // Every user on the machine can read a command line.
      expect(words.join(' ')).not.toMatch(/analyst of a shop|How much/)
      expect(input).toContain('How much is it in all?')
      expect([input, ...Object.values(files)].join('\n')).toContain('You are the analyst of a shop.')
      expect(folder).toMatch(new RegExp(`/ken/agent-clients/${name}$`))
    } finally {
      await desk.close()
    }
  })

  test('reports a client that is not installed, with the next step', async () => {
    const desk = await openStandIn(name, { environment: { PATH: '/nowhere:.:bin' } })
    try {
      expect(await desk.client.problem()).toMatch(
        /^[\w ]+ is not installed here\. Install it \(`npm install -g .+`\), or name/,
      )
      expect(await failureOf(all(desk))).toMatchObject({ code: 'unavailable' })
    } finally {
      await desk.close()
    }
  })
})
