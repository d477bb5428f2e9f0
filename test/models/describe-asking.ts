import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAiSdkModel } from '../../src/analyst/model/index.ts'
import { AppError } from '../../src/kernel/domain/errors.ts'
import type { ModelProvider } from '../../src/kernel/domain/model-name.ts'
import { secretRedactor } from '../../src/kernel/domain/secrets/redact.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'

/** Contract for every provider's package: the address and key of its calls, and the error on failure. */
export const describeAsking = (providers: readonly ModelProvider[]): void =>
  describe.each(providers)('%s', (provider) => {
    let server: ScriptedModel
    beforeAll(async () => void (server = await openScriptedModel(() => 'hello')))
    beforeEach(() => {
      server.requests.length = 0
      server.reply = () => 'hello'
    })
    afterAll(() => server.close())

    test('is called at the given address with the given key, and nothing else is called', async () => {
      expect(await write(server, provider, { key: 'k-123' })).toBe('hello')
      expect(server.requests).toHaveLength(1)
      const [{ path, headers, said, body }] = server.requests as [ScriptedModel['requests'][number]]
      expect(path).toMatch(/^\/v1\//)
      expect(said).toContain('Be brief.')
      expect(said).toContain('Say hello.')
      expect(JSON.stringify(body)).toContain('77')
      expect(`${decodeURIComponent(path)} ${JSON.stringify(body)}`).toContain('tiny:1b')
      expect(JSON.stringify(headers)).toContain('k-123')
    })

    test.each([[{ key: 'k-123' }], [{}]])('finds nothing in the environment behind our back, with %j', async (more) => {
      const before = { ...process.env }
      Object.assign(process.env, Object.fromEntries(LURES.map((name) => [name, name.includes('URL') ? 'http://127.0.0.1:1/lured' : 'lured'])))
      try {
        await write(server, provider, more).catch(() => undefined)
        for (const { headers, path, body } of server.requests) expect(JSON.stringify([headers, path, body])).not.toContain('lured')
        if ('key' in more) expect(server.requests).toHaveLength(1)
      } finally {
        for (const name of LURES) if (before[name] === undefined) delete process.env[name]
      }
    })

    test('gets no secret', async () => {
      const secret = ['gh', 'p_', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2'].join('')
      await write(server, provider, { key: 'k-123', prompt: `The token is ${secret}.` })
      expect(server.requests[0]!.said).toContain('The token is [redacted]')
    })

    test.each([
      [401, 'was refused'],
      [404, 'is not known'],
      [429, 'is busy'],
      [500, 'failed (500'],
    ])('that answers %i is unavailable, in one line that says what to do', async (status, says) => {
      server.reply = () => ({ fail: status })
      const error = await faultOf(write(server, provider, { key: 'k-123' }))
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(`${provider}:tiny:1b ${says}`), hint: expect.stringMatching(/\.$/) })
      expect(error.line).not.toContain('the fake says')
      expect(server.requests).toHaveLength(1)
    })

    test.each([['nonsense', { garbage: '<html>not for you</html>' }], ['another shape', { json: { ok: true } }], ['nothing', '  ']] as const)('that answers with %s is unavailable', async (_what, reply) => {
      server.reply = () => reply
      expect(await faultOf(write(server, provider, { key: 'k-123' }))).toMatchObject({ code: 'unavailable' })
    })

    test('that does not answer is aborted on request', async () => {
      server.reply = () => ({ silence: true })
      const error = await faultOf(write(server, provider, { key: 'k-123', signal: AbortSignal.timeout(50) }))
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('did not answer in time') })
    })

    test('does not follow a redirect to another address', async () => {
      const elsewhere = await openScriptedModel(() => 'gotcha')
      try {
        server.reply = () => ({ fail: 307, headers: { location: `${elsewhere.url}/v1/chat/completions` } })
        expect(await faultOf(write(server, provider, { key: 'k-123' }))).toMatchObject({ code: 'unavailable' })
        expect(elsewhere.requests).toEqual([])
      } finally {
        await elsewhere.close()
      }
    })
  })

const open = (server: ScriptedModel, provider: ModelProvider, more: { key?: string; url?: string } = {}) =>
  openAiSdkModel({ provider, model: 'tiny:1b', place: { url: more.url ?? `${server.url}/v1`, region: 'eu-1', project: 'p-1', access: { key: more.key } }, facts: { window: 32_000 }, redactor: secretRedactor })
const never = new AbortController().signal
export const write = async (server: ScriptedModel, provider: ModelProvider, more: { key?: string; url?: string; prompt?: string; signal?: AbortSignal } = {}) =>
  (await open(server, provider, more)).write({ system: 'Be brief.', prompt: more.prompt ?? 'Say hello.', maxTokens: 77, signal: more.signal ?? never })
export const faultOf = (work: Promise<unknown>): Promise<AppError> => work.then(() => Promise.reject(new Error('it answered')), (error: unknown) => (error instanceof AppError ? error : Promise.reject(error)))

const LURES = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_ORGANIZATION', 'OPENAI_PROJECT', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_VERTEX_API_KEY', 'GOOGLE_VERTEX_PROJECT', 'GOOGLE_VERTEX_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS', 'MISTRAL_API_KEY', 'OPENROUTER_API_KEY', 'AZURE_API_KEY', 'AZURE_RESOURCE_NAME', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION', 'AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'AI_GATEWAY_API_KEY']
