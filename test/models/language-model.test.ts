import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readModelName } from '../../src/kernel/domain/model-name.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { describeAsking, faultOf, write } from './describe-asking.ts'
import { COME_WITH_KEN } from './describe-provider.ts'

let server: ScriptedModel
beforeAll(async () => void (server = await openScriptedModel(() => 'hello')))
beforeEach(() => void (server.requests.length = 0))
afterAll(() => server.close())

describeAsking(COME_WITH_KEN)

test('an unreachable server is reported with how to start it', async () => {
  const gone = await openScriptedModel(() => 'x')
  await gone.close()
  const error = await faultOf(write(server, 'ollama', { url: gone.url }))
  expect(error).toMatchObject({ message: expect.stringContaining('ECONNREFUSED'), hint: expect.stringContaining('ollama serve') })
})

test('an address without a path gets the default path; servers on this machine need no key', async () => {
  await write(server, 'ollama', { url: server.url })
  await write(server, 'compatible', { url: server.url })
  expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/v1/chat/completions', undefined], ['/v1/chat/completions', undefined]])
})

test('thinking is turned off for Ollama models, because a search does not wait for it', async () => {
  await write(server, 'ollama')
  expect(server.requests[0]!.body).toMatchObject({ reasoning_effort: 'none', temperature: 0 })
})

test('the name of a model may contain colons', () => {
  expect(readModelName('ollama:qwen3:4b')).toEqual({ provider: 'ollama', model: 'qwen3:4b' })
  expect(readModelName('')).toBeUndefined()
  expect(readModelName('qwen3')).toBeUndefined()
})

test('a call writes nothing to the streams, which belong to the protocol of the agent', async () => {
  const script = `
    import { openAiSdkModel } from ${JSON.stringify(join(import.meta.dirname, '../../src/analyst/model/index.ts'))}
    const model = await openAiSdkModel({ provider: 'anthropic', model: 'claude-3-haiku-20240307', place: { url: ${JSON.stringify(server.url)} + '/v1', access: { key: 'k' } }, facts: { window: 32_000 }, redactor: { redact: async (text) => ({ text, count: 0 }) } })
    await model.write({ system: 's', prompt: 'p', maxTokens: 999_999, signal: new AbortController().signal })`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script])
  expect([stdout, stderr]).toEqual(['', ''])
})
