import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeOnnxEmbedder } from '../../../../test/contract/onnx-embedder.contract.ts'
import { TINY, tinyModel, writeTinyTransformer } from '../../../../test/tiny-transformer.ts'
import { cosine } from '../../domain/ranking/vector.ts'
import { quantizeOnnx } from '../../model-registry/quantize-onnx.ts'
import { openOnnxEmbedder } from './index.ts'
import { loadOnnxRuntime } from './runtime.ts'

describeOnnxEmbedder('onnx, a tiny transformer on onnxruntime', loadOnnxRuntime)

test('one-byte weights produce the same directions', async () => {
  const folders = [mkdtempSync(join(tmpdir(), 'ken-onnx-')), mkdtempSync(join(tmpdir(), 'ken-onnx-small-'))]
  for (const folder of folders) writeTinyTransformer(folder)
  writeFileSync(join(folders[1]!, 'model.onnx'), quantizeOnnx(tinyModel()))
  const embedders = folders.map((folder) => openOnnxEmbedder({ folder, model: TINY }))
  for (const text of ['sign people in', 'postgres database x9', 'a cache']) {
    const [[a], [b]] = (await Promise.all(embedders.map((embedder) => embedder.embed([text], 'query')))) as [
      [Float32Array],
      [Float32Array],
    ]
    expect(cosine(a, b)).toBeGreaterThan(0.995)
  }
  for (const embedder of embedders) await embedder.close()
  for (const folder of folders) rmSync(folder, { recursive: true })
})
