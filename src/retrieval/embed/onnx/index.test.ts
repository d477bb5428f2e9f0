import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeOnnxEmbedder } from '../../../../test/contract/onnx-embedder.contract.ts'
import { TINY, tinyModel, tinyRuntime, writeTinyTransformer } from '../../../../test/tiny-transformer.ts'
import { quantizeOnnx } from '../../model-registry/quantize-onnx.ts'
import { openOnnxEmbedder } from './index.ts'
import { loadOnnxRuntime } from './runtime.ts'

// Uses a stub; index.nightly.test.ts does the same with onnxruntime.
describeOnnxEmbedder('onnx, a tiny transformer', async () => tinyRuntime)

test('one-byte weights take less than half the space and are reproducible', () => {
  const small = quantizeOnnx(tinyModel())
  expect(quantizeOnnx(tinyModel())).toEqual(small)
  expect(small.length).toBeLessThan(tinyModel().length / 2)
})

test('reports a missing model or runtime in an error with the next step', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ken-onnx-'))
  writeTinyTransformer(folder)
  expect(() => openOnnxEmbedder({ folder: join(folder, 'none'), model: TINY })).toThrow(
    expect.objectContaining({ code: 'unavailable', hint: 'Run `ken models pull tiny`.' }),
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
  rmSync(folder, { recursive: true })
})
