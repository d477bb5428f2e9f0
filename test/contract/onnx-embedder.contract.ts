import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cosine } from '../../src/retrieval/domain/ranking/vector.ts'
import { openOnnxEmbedder } from '../../src/retrieval/embed/onnx/index.ts'
import type { OnnxRuntime } from '../../src/retrieval/embed/onnx/runtime.ts'
import { TINY, writeTinyTransformer } from '../tiny-transformer.ts'
import { describeEmbedder } from './embedder.contract.ts'

/** Contract of an in-process model, on any runtime that computes the tiny transformer. */
export function describeOnnxEmbedder(name: string, loadRuntime: () => Promise<OnnxRuntime>): void {
  const folder = mkdtempSync(join(tmpdir(), 'ken-onnx-'))
  const open = (model: Parameters<typeof openOnnxEmbedder>[0]['model'] = TINY, place = folder) =>
    openOnnxEmbedder({ folder: place, model, loadRuntime })
  beforeAll(() => writeTinyTransformer(folder))
  afterAll(() => rmSync(folder, { recursive: true }))

  describeEmbedder(name, { open: async () => open() })

  describe(`${name}, an in-process model`, () => {
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

    test('the common component of all texts is removed, and the id shows it', async () => {
      const all = { bytes: Buffer.from(new Int8Array(16).fill(100)).toString('base64'), scale: 0.005 }
      const embedder = open({ ...TINY, centre: all })
      expect(embedder.id).toBe('onnx:tiny:16:centred')
      const [plain] = (await open().embed(['cache'], 'document')) as [Float32Array]
      const [centred] = (await embedder.embed(['cache'], 'document')) as [Float32Array]
      const shifted = plain.map((component) => component - 0.5)
      expect(cosine(centred, shifted)).toBeCloseTo(1, 5)
      expect(Math.hypot(...centred)).toBeCloseTo(1, 5)
      await embedder.close()
    })

    test('a damaged model is reported with an explanation', async () => {
      const other = mkdtempSync(join(tmpdir(), 'ken-onnx-damaged-'))
      for (const [file, text] of [
        ['tokenizer.json', '{}'],
        ['model.onnx', 'nonsense'],
      ] as const) {
        writeTinyTransformer(other)
        writeFileSync(join(other, file), text)
        const embedder = open(TINY, other)
        await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
          code: 'damaged',
          hint: expect.stringContaining('ken models pull'),
        })
        await embedder.close()
      }
      rmSync(other, { recursive: true })
    })

    test('concurrent callers get the same results as alone', async () => {
      const embedder = open()
      const texts = ['sign people in', 'postgres database', 'invoice total', 'deploy on friday']
      const together = await Promise.all(texts.map((text) => embedder.embed([text], 'document')))
      for (const [i, text] of texts.entries()) expect(await embedder.embed([text], 'document')).toEqual(together[i])
      await embedder.close()
    })

    test('closing aborts work in progress', async () => {
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
}
