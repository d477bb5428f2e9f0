import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEmbedder } from '../../../../test/contract/embedder.contract.ts'
import { TINY, tinyModel, writeTinyTransformer } from '../../../../test/tiny-transformer.ts'
import { cosine } from '../../../core/ranking/vector.ts'
import { quantizeOnnx } from '../../model-shelf/npm/quantize-onnx.ts'
import { openOnnxEmbedder } from './index.ts'
import { loadOnnxRuntime } from './runtime.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-onnx-'))
const open = () => openOnnxEmbedder({ folder, model: TINY })
beforeAll(() => writeTinyTransformer(folder))
afterAll(() => rmSync(folder, { recursive: true }))

describeEmbedder('onnx, a tiny transformer', { open: async () => open() })

describe('a model in process', () => {
  test('a text longer than the window is read to its end', async () => {
    const embedder = open()
    const [long, beginning, end] = (await embedder.embed(
      [`${'cache '.repeat(40)}${'invoice '.repeat(40)}`, 'cache', 'invoice'],
      'document',
    )) as [Float32Array, Float32Array, Float32Array]
    expect(cosine(long, end)).toBeGreaterThan(0.5)
    expect(Math.abs(cosine(long, end) - cosine(long, beginning))).toBeLessThan(0.1)
    await embedder.close()
  })

  test('weights of one byte give the same directions, and the same bytes every time', async () => {
    const small = quantizeOnnx(tinyModel())
    expect(quantizeOnnx(tinyModel())).toEqual(small)
    expect(small.length).toBeLessThan(tinyModel().length / 2)
    const other = mkdtempSync(join(tmpdir(), 'ken-onnx-small-'))
    writeTinyTransformer(other)
    writeFileSync(join(other, 'model.onnx'), small)
    const [exact, rounded] = [open(), openOnnxEmbedder({ folder: other, model: TINY })]
    for (const text of ['sign people in', 'postgres database x9', 'a cache']) {
      const [[a], [b]] = (await Promise.all([exact.embed([text], 'query'), rounded.embed([text], 'query')])) as [
        [Float32Array],
        [Float32Array],
      ]
      expect(cosine(a, b)).toBeGreaterThan(0.995)
    }
    await Promise.all([exact.close(), rounded.close()])
    rmSync(other, { recursive: true })
  })

  test('a model that is not there, and a runtime that is not installed, say what to do', async () => {
    expect(() => openOnnxEmbedder({ folder: join(folder, 'none'), model: TINY })).toThrow(
      expect.objectContaining({ code: 'unavailable', hint: '`ken models pull tiny` brings it.' }),
    )
    const embedder = openOnnxEmbedder({
      folder,
      model: TINY,
      loadRuntime: () => loadOnnxRuntime(['ken-has-no-such-package']),
    })
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('npm install onnxruntime-node'),
    })
    await embedder.close()
  })

  test('what all texts have in common is taken away, and the id says so', async () => {
    const all = { bytes: Buffer.from(new Int8Array(16).fill(100)).toString('base64'), scale: 0.005 }
    const embedder = openOnnxEmbedder({ folder, model: { ...TINY, centre: all } })
    expect(embedder.id).toBe('onnx:tiny:16:centred')
    const [plain] = (await open().embed(['cache'], 'document')) as [Float32Array]
    const [centred] = (await embedder.embed(['cache'], 'document')) as [Float32Array]
    const shifted = plain.map((component) => component - 0.5)
    expect(cosine(centred, shifted)).toBeCloseTo(1, 5)
    expect(Math.hypot(...centred)).toBeCloseTo(1, 5)
    await embedder.close()
  })

  test('a damaged model is explained', async () => {
    const other = mkdtempSync(join(tmpdir(), 'ken-onnx-damaged-'))
    for (const [file, text] of [
      ['tokenizer.json', '{}'],
      ['model.onnx', 'nonsense'],
    ] as const) {
      writeTinyTransformer(other)
      writeFileSync(join(other, file), text)
      const embedder = openOnnxEmbedder({ folder: other, model: TINY })
      await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
        code: 'damaged',
        hint: expect.stringContaining('ken models pull'),
      })
      await embedder.close()
    }
    rmSync(other, { recursive: true })
  })

  test('several callers at once get what each would get alone', async () => {
    const embedder = open()
    const texts = ['sign people in', 'postgres database', 'invoice total', 'deploy on friday']
    const together = await Promise.all(texts.map((text) => embedder.embed([text], 'document')))
    for (const [i, text] of texts.entries()) expect(await embedder.embed([text], 'document')).toEqual(together[i])
    await embedder.close()
  })

  test('closing ends what is under way', async () => {
    const embedder = open()
    const pending = embedder.embed(
      Array.from({ length: 500 }, () => 'cache the database'),
      'document',
    )
    pending.catch(() => undefined)
    await embedder.close()
    await expect(pending).rejects.toMatchObject({ code: 'unavailable' })
  })
})
