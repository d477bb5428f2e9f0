import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../src/retrieval/domain/embedding/catalogue.ts'
import { openOnnxEmbedder } from '../../src/retrieval/embed/onnx/index.ts'
import { describeEmbedder } from '../contract/embedder.contract.ts'
import { countNearest, PARAPHRASES } from '../contract/paraphrases.ts'

// The real models, in the folder that `ken models pull` writes to.
const folder = join(process.env['KEN_HOME'] ?? join(homedir(), '.ken'), 'models')

describe.each(CATALOGUE.map((model) => [model.name, model] as const))('%s', (name, model) => {
  const place = join(folder, name)
  if (!existsSync(join(place, 'model.onnx'))) {
    test.skip(`is not in ${folder}: \`ken models pull ${name}\` brings it`, () => {})
    return
  }

  describeEmbedder(`onnx:${name}`, { open: async () => openOnnxEmbedder({ folder: place, model }) })

  test('finds text that shares no word with the question', async () => {
    expect(await countNearest(openOnnxEmbedder({ folder: place, model }), PARAPHRASES)).toBeGreaterThanOrEqual(5)
  })
})
