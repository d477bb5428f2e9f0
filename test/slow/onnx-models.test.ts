import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openOnnxEmbedder } from '../../src/adapters/embed-onnx/index.ts'
import { CATALOGUE } from '../../src/core/embedding/catalogue.ts'
import { cosine } from '../../src/core/search/vector.ts'
import { describeEmbedder } from '../contract/embedder.contract.ts'

// The real models, where `ken models pull` has put them.
const folder = join(process.env['KEN_HOME'] ?? join(homedir(), '.ken'), 'models')

describe.each(CATALOGUE.map((model) => [model.name, model] as const))('%s', (name, model) => {
  const place = join(folder, name)
  if (!existsSync(join(place, 'model.onnx'))) {
    test.skip(`is not in ${folder}: \`ken models pull ${name}\` brings it`, () => {})
    return
  }

  describeEmbedder(`onnx:${name}`, { open: async () => openOnnxEmbedder({ folder: place, model }) })

  test('finds what shares no word with the question', async () => {
    const cases = [
      ['Rows are flagged as deleted and stay in the table.', 'can an erased record be brought back'],
      ['Money is stored as integer cents.', 'how do we represent prices without rounding errors'],
      ['Passwords are hashed with argon2.', 'protecting user credentials'],
      ['Redis keeps hot query results for five minutes.', 'speeding up repeated reads'],
      ['Errors are reported to the on-call engineer by pager.', 'who gets woken up when something breaks'],
      ['Uploads go straight to an object store such as S3.', 'where do images and attachments live'],
    ] as const
    const embedder = openOnnxEmbedder({ folder: place, model })
    const decisions = await embedder.embed(cases.map(([decision]) => decision), 'document')
    const questions = await embedder.embed(cases.map(([, question]) => question), 'query')
    await embedder.close()
    const right = questions.filter((question, i) => {
      const scores = decisions.map((decision) => cosine(question, decision))
      return scores.indexOf(Math.max(...scores)) === i
    })
    expect(right.length).toBeGreaterThanOrEqual(5)
  })
})
