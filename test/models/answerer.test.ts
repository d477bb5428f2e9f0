import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openKen, type Ken } from '../../src/app/open.ts'
import type { Answerer, Models } from '../../src/analyst/ports/models.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'

let place: string
let server: ScriptedModel
beforeAll(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-answerer-')))
  server = await openScriptedModel(() => 'hello')
})
beforeEach(() => void (server.requests.length = 0))
afterAll(async () => {
  await server.close()
  rmSync(place, { recursive: true, force: true })
})

async function withModels<T>(environment: Record<string, string>, work: (models: Models) => Promise<T>): Promise<T> {
  const home = join(place, String(Math.random()))
  const ken: Ken = openKen({ HOME: home, KEN_HOME: join(home, 'ken'), ...environment }, () => {})
  try {
    const context = ken.context({ origin: { surface: 'cli' }, cwd: place })
    for (const [name, value] of Object.entries(environment))
      if (name.startsWith('model.')) context.settings.set(name, value)
    return await work(context.models)
  } finally {
    await ken.close()
  }
}
const modelOf = (answerer: Answerer | undefined) => (answerer?.kind === 'model' ? answerer.model : undefined)
const ASKED = { system: 's', prompt: 'p', maxTokens: 10, signal: new AbortController().signal }

describe('the answerer', () => {
  test('is the configured model, or the named one', async () => {
    const set = { KEN_MODEL: 'compatible:small', KEN_MODEL_URL: `${server.url}/v1` }
    await withModels(set, async (models) => {
      expect(modelOf(await models.answerer())?.id).toBe('compatible:small')
      const named = modelOf(await models.answerer('compatible:large'))!
      await named.write(ASKED)
      expect(server.requests[0]!.body.model).toBe('large')
      expect(modelOf(await models.answerer('compatible:large'))).toBe(named)
      expect(modelOf(await models.answerer('compatible:small'))).toBe(await models.language())
    })
    await withModels({}, async (models) => expect(await models.answerer()).toBeUndefined())
  })

  test.each(['gpt-4o', 'nobody:x', 'openai:', 'openai:two words', ''])('does not accept %j as a name, and one line explains valid names', async (name) => {
    const asked = withModels({}, (models) => models.answerer(name))
    if (name === '') expect(await asked).toBeUndefined()
    else await expect(asked).rejects.toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('anthropic') })
  })

  test('address and key for one provider are not sent to another', async () => {
    const set = {
      KEN_MODEL: 'compatible:small',
      KEN_MODEL_URL: `${server.url}/v1`,
      'model.key': 'MY_KEY',
      MY_KEY: 'k-of-compatible',
      GEMINI_API_KEY: 'k-of-google',
      KEN_HOME: join(place, 'apart'),
    }
    await withModels(set, async (models) => {
      await modelOf(await models.answerer())!.write(ASKED)
      expect(server.requests[0]!.headers.authorization).toBe('Bearer k-of-compatible')
      await expect(models.answerer('openai:gpt-4o')).rejects.toMatchObject({ message: expect.stringContaining('OPENAI_API_KEY') })
      const other = modelOf(await models.answerer('google:small'))!
      await other.write({ ...ASKED, signal: AbortSignal.abort() }).catch(() => undefined)
      expect(server.requests).toHaveLength(1)
    })
  })
})

test('an address without a model belongs to a custom server, never to a provider', async () => {
  const set = { KEN_MODEL_URL: `${server.url}/v1`, GEMINI_API_KEY: 'k-of-google' }
  await withModels(set, async (models) => {
    await modelOf(await models.answerer('compatible:small'))!.write(ASKED)
    expect(server.requests).toHaveLength(1)
    const other = modelOf(await models.answerer('google:small'))!
    await other.write({ ...ASKED, signal: AbortSignal.abort() }).catch(() => undefined)
    expect(server.requests).toHaveLength(1)
  })
})

describe('model settings', () => {
  const at = (more: Record<string, string>) => ({ KEN_MODEL_URL: `${server.url}/v1`, ...more })

  test('override the known values of the configured model only', async () => {
    const set = at({ KEN_MODEL: 'compatible:gpt-4o', KEN_MODEL_WINDOW: '9000', 'model.prices': '2/4', KEN_HOME: join(place, 'facts') })
    await withModels(set, async (models) => {
      const model = modelOf(await models.answerer())!
      expect(model.window).toBe(9_000)
      server.reply = () => ({ say: 'hello', usage: { input: 1_000, output: 500 } })
      const events = []
      for await (const event of model.converse({ system: 's', messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], tools: [], maxTokens: 10, signal: ASKED.signal })) events.push(event)
      expect(events.at(-1)).toMatchObject({ type: 'end', usage: { cost: 0.004 } })
      expect(modelOf(await models.answerer('compatible:qwen3'))!.window).toBe(32_000)
    })
  })

  test.each([
    ['azure:gpt', { AZURE_API_KEY: 'k' }, 'model.url'],
    ['compatible:x', {}, 'model.url'],
    ['bedrock:claude', { AWS_BEARER_TOKEN_BEDROCK: 'k' }, 'model.region'],
    ['vertex:gemini', { GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json' }, 'model.region'],
    ['vertex:gemini', { GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json', KEN_MODEL_REGION: 'eu' }, 'model.project'],
    ['vertex:gemini', { GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json', KEN_MODEL_REGION: 'eu', KEN_MODEL_PROJECT: 'p' }, 'not there'],
  ] as const)('%s without a required setting is refused with the reason', async (name, environment, says) => {
    const error = await withModels({ KEN_MODEL: name, ...environment }, (models) => models.answerer()).catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(says), hint: expect.stringMatching(/\.$/) })
  })
})
