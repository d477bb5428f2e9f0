import { KEN } from '../ken-program.ts'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMemoryKeychain } from '../memory-keychain.ts'
import { openModelKeys } from '../../src/app/model-keys.ts'
import { spellNames } from '../../src/kernel/domain/named-operation.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { call } from '../../src/operations/call.ts'
import { FOR_PROGRAMS } from '../../src/operations/spelling.ts'
import type { Context } from '../../src/operations/context.ts'
import type { Keychain } from '../../src/kernel/ports/keychain.ts'
import { openKen } from '../../src/app/open.ts'
import { describeKeychain } from '../contract/keychain.contract.ts'

const shared = new Map<string, string>()
describeKeychain('memory', () => openMemoryKeychain(shared))

const KEY = 'k-abc-123'
const nowhere: Keychain = {
  get: () => Promise.reject(new Error('locked')),
  set: () => Promise.reject(new Error('locked')),
  remove: () => Promise.reject(new Error('locked')),
}

describe('the key of a provider', () => {
  test('is taken from the environment, then from the keychain', async () => {
    const keychain = openMemoryKeychain()
    await keychain.set('anthropic', 'kept')
    expect(await openModelKeys({ ANTHROPIC_API_KEY: KEY }, keychain).accessTo('anthropic')).toEqual({ key: KEY })
    expect(await openModelKeys({ ANTHROPIC_API_KEY: '' }, keychain).accessTo('anthropic')).toEqual({ key: 'kept' })
    expect(await openModelKeys({ GEMINI_API_KEY: KEY }, keychain).accessTo('google')).toEqual({ key: KEY })
  })

  test('can be another kind of cloud credential', async () => {
    const aws = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' }
    expect(await openModelKeys(aws, nowhere).accessTo('bedrock')).toEqual({
      aws: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' },
    })
    const google = { GOOGLE_APPLICATION_CREDENTIALS: '/keys/a.json' }
    expect(await openModelKeys(google, nowhere).accessTo('vertex')).toEqual({ keyFile: '/keys/a.json' })
  })

  test('is not needed for a local model, with or without a keychain', async () => {
    expect(await openModelKeys({}, nowhere).accessTo('ollama')).toEqual({})
    expect(await openModelKeys({}, nowhere).accessTo('compatible')).toEqual({})
  })

  test.each([
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['bedrock', 'AWS_ACCESS_KEY_ID'],
    ['vertex', 'GOOGLE_APPLICATION_CREDENTIALS'],
  ] as const)('of %s that is missing is reported in one line that names %s and the keychain', async (provider, variable) => {
    const error = await openModelKeys({}, nowhere).accessTo(provider).catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ code: 'invalid_input' })
    const line = spellNames((error as unknown as { line: string }).line, FOR_PROGRAMS)
    expect(line).toContain(variable)
    expect(line).toContain('ken keys set')
  })
})

describe('at a terminal', () => {
  let place: string
  beforeEach(() => void (place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-keys-')))))
  afterEach(() => rmSync(place, { recursive: true, force: true }))

  const run = async (name: string, input: Record<string, unknown>, keychain: Keychain, typed = KEY, environment = {}) => {
    const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), ...environment }, () => {})
    const asked: string[] = []
    const context: Context = {
      ...ken.context({ origin: { surface: 'cli' }, cwd: place }),
      modelKeys: openModelKeys(environment, keychain),
      ask: async (question, how) => {
        asked.push(`${question}${how?.hidden ? '' : ' SHOWN'}`)
        return typed
      },
    }
    const operation = OPERATIONS.find((op) => op.name === name)!
    try {
      const { output } = await call(context, operation, input)
      return { output, text: spellNames(operation.render(output, input), FOR_PROGRAMS), asked }
    } finally {
      await ken.close()
    }
  }

  test('a key is typed hidden, stored, listed without its value, and removed again', async () => {
    const keychain = openMemoryKeychain()
    const set = await run('key_set', { provider: 'anthropic' }, keychain, `${KEY}\n`)
    expect(set.asked).toEqual([expect.stringMatching(/^The key of anthropic\?.*hidden/)])
    expect(set.asked[0]).not.toContain('SHOWN')
    expect(await keychain.get('anthropic')).toBe(KEY)
    const listed = await run('key_list', {}, keychain, '', { OPENAI_API_KEY: 'o-key-1' })
    expect(listed.output).toEqual({
      keys: [
        { provider: 'openai', source: 'environment', variable: 'OPENAI_API_KEY' },
        { provider: 'anthropic', source: 'keychain' },
      ],
    })
    for (const told of [set, listed]) expect(JSON.stringify(told)).not.toMatch(/k-abc|o-key/)
    expect((await run('key_remove', { provider: 'anthropic' }, keychain)).output).toMatchObject({ removed: true })
    expect((await run('key_remove', { provider: 'anthropic' }, keychain)).output).toMatchObject({ removed: false })
    expect(JSON.stringify(filesIn(place))).not.toContain(KEY)
  })

  test.each([['', 'No key was given'], ['  \n', 'No key was given'], ['two words', 'Invalid key'], [`a\nb`, 'Invalid key']])(
    'an invalid key (%j) is refused and not repeated',
    async (typed, says) => {
      const keychain = openMemoryKeychain()
      const error = await run('key_set', { provider: 'openai' }, keychain, typed).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(says) })
      expect(await keychain.get('openai')).toBeUndefined()
    },
  )

  test('a key cannot be given as an argument', async () => {
    await expect(run('key_set', { provider: 'openai', key: KEY }, openMemoryKeychain())).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  test.runIf(process.platform === 'linux')('names the environment variable if there is no keychain', async () => {
    const env = { PATH: process.env['PATH'], HOME: place, DBUS_SESSION_BUS_ADDRESS: `unix:path=${place}/no-bus` }
    const ken = (...words: string[]) =>
      promisify(execFile)(process.execPath, [KEN, ...words], { env })
    const failed = await ken('keys', 'remove', 'mistral').catch((error: unknown) => error as { stderr: string; code: number })
    expect(failed).toMatchObject({ code: 7, stderr: expect.stringMatching(/No keychain.*MISTRAL_API_KEY/s) })
    const { stdout } = await ken('keys')
    expect(stdout).toContain('No provider has a key')
    expect(stdout).toContain('No keychain')
  })
})

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
