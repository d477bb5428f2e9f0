import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openKen } from '../../src/app/open.ts'
import { call } from '../../src/operations/call.ts'
import { debug } from '../../src/context/operations/debug.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { passagesIn } from './passages-in.ts'

let place: string
let server: ScriptedModel
beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-debug-')))
  server = await openScriptedModel(({ path, body, said }) => {
    if (path === '/rerank') return { json: { results: body.documents.map((text: string, index: number) => ({ index, relevance_score: text.includes('queue') ? 0.9 : 0.1 })) } }
    if (said.includes('<passage')) return passagesIn(said).map((passage, at) => `${at + 1}: ${passage.includes('queue') ? 9 : 0}`).join('\n')
    return said.includes('<query>') ? 'failed payments\npayment back-off' : 'ready'
  })
})
afterEach(async () => {
  await server.close()
  rmSync(place, { recursive: true, force: true })
})

const warnings: string[] = []
/** Runs an operation in a new Ken, as at a terminal; settings are kept in its home. */
async function run(name: string, input: object = {}, environment: Record<string, string> = {}): Promise<any> {
  const ken = openKen({ HOME: place, PATH: process.env['PATH'] ?? '', KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0', ...environment }, (message) => warnings.push(message))
  try {
    return (await call(ken.context({ origin: { surface: 'cli' }, cwd: place }), OPERATIONS.find((op) => op.name === name)!, input)).output
  } finally {
    await ken.close()
  }
}
const set = (name: string, value: string): Promise<any> => run('config_set', { name, value })

describe('ken debug', () => {
  test('reports that no model is set and that none is needed', async () => {
    const output = await run('debug')
    expect(debug.render(output, { role: false })).toContain('No language model and no reranker is set, and none is needed.')
    expect(debug.exit(output)).toBe(0)
  })

  test('calls every configured model, even outside a context project', async () => {
    await set('model.name', 'compatible:tiny')
    await set('model.url', `${server.url}/v1`)
    await set('search.expand', 'true')
    await set('search.rerank', 'http')
    await set('search.rerankUrl', `${server.url}/rerank`)
    const output = await run('debug')
    expect(output.checks).toMatchObject([
      { name: 'language model compatible:tiny', ok: true, found: 'answers' },
      { name: 'query expansion words:compatible:tiny', ok: true, found: expect.stringContaining('2 other wordings') },
      { name: expect.stringContaining('reranker rerank:127.0.0.1'), ok: true, found: expect.stringContaining('tells a fitting passage from another') },
      { name: expect.stringContaining('embedder '), ok: true },
    ])
    expect(debug.exit(output)).toBe(0)
    expect(debug.render(output, { role: false })).not.toContain('none is needed')
  })

  test('reports the problem and the next step for each failed check, and exits 1', async () => {
    await set('model.name', 'openai:gpt-tiny')
    await set('search.expand', 'true')
    await set('search.rerank', 'http')
    const output = await run('debug')
    expect(output.checks.filter(({ ok }: { ok: boolean }) => !ok)).toMatchObject([
      { name: 'language model', problem: 'openai needs a key, and OPENAI_API_KEY is not set.', hint: expect.stringContaining('model.key') },
      { name: 'query expansion', problem: expect.stringContaining('OPENAI_API_KEY') },
      { name: 'reranker', problem: expect.stringContaining('search.rerankUrl'), hint: expect.stringContaining('ken config set') },
    ])
    expect(debug.exit(output)).toBe(1)
  })

  test('detects a reranker that does not distinguish passages', async () => {
    await set('search.rerank', 'http')
    await set('search.rerankUrl', `${server.url}/rerank`)
    server.reply = () => ({ json: [{ index: 0, score: 0.5 }, { index: 1, score: 0.5 }] })
    expect((await run('debug')).checks[0]).toMatchObject({ ok: false, problem: expect.stringContaining('an unrelated passage') })
  })
})

describe('model settings', () => {
  test('a key is taken from the variable named in a setting', async () => {
    await set('model.name', 'openai:gpt-tiny')
    await set('model.url', `${server.url}/v1`)
    await set('model.key', 'MY_KEY')
    expect((await run('debug', {}, { MY_KEY: 'k-77' })).checks[0]).toMatchObject({ ok: true })
    expect(server.requests[0]!.headers.authorization).toBe('Bearer k-77')
    expect((await run('debug')).checks[0]).toMatchObject({ ok: false, problem: expect.stringContaining('MY_KEY, which is not set') })
    expect(await run('config_get', { name: 'model.key' })).toMatchObject({ value: 'MY_KEY' })
  })

  test.each(['sk-proj-abcdefgh12345678', 'gsk_abcdefgh12345678', 'AIzaSyA1234567890', 'Bearer abc'])('a plain key (%s) is refused in one line that does not repeat it, and nothing is written', async (key) => {
    for (const name of ['model.key', 'search.rerankKey']) {
      const error = await set(name, key).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'invalid_input', message: `${name} takes the NAME of an environment variable, not the key itself.` })
      expect(JSON.stringify(error)).not.toContain(key)
    }
    expect(() => readFileSync(join(place, 'home', 'config.yml'))).toThrow('ENOENT')
  })

  test('invalid values are refused', async () => {
    for (const [name, value] of [['model.name', 'qwen3'], ['model.name', 'olama:qwen3'], ['model.url', 'localhost:1234'], ['model.url', 'http://me:word@host/'], ['search.rerank', 'yes']] as const) {
      await expect(set(name, value)).rejects.toMatchObject({ code: 'invalid_input', hint: expect.stringMatching(/\.$/) })
    }
  })

  test('a key written into the file is not used and not repeated', async () => {
    await set('model.name', 'openai:gpt-tiny')
    warnings.length = 0
    writeFileSync(join(place, 'home', 'config.yml'), 'model:\n  name: openai:gpt-tiny\n  key: sk-proj-abcdefgh12345678\n')
    expect((await run('debug')).checks[0]).toMatchObject({ ok: false, problem: expect.stringContaining('OPENAI_API_KEY') })
    expect(warnings).toEqual([expect.stringContaining('model.key takes the NAME of an environment variable')])
    expect(JSON.stringify(warnings)).not.toContain('sk-proj')
  })
})
