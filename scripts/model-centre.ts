// Computes the mean of a pulled model's vectors over ordinary text, for src/retrieval/domain/embedding/catalogue.ts:
// node scripts/model-centre.ts <name> [folder of models]
import { globSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findModel } from '../src/retrieval/domain/embedding/catalogue.ts'
import { quantize } from '../src/retrieval/domain/ranking/vector.ts'
import { openOnnxEmbedder } from '../src/retrieval/embed/onnx/index.ts'

// Prose and code by many authors, none of it part of an evaluation.
const PATTERNS = [
  'node_modules/*/README.md',
  'node_modules/@*/*/README.md',
  'node_modules/*/*.js',
  'src/**/*.ts',
  'docs/**/*.md',
]
// Questions and facts are short, chunks are long, and each kind has a different mean.
const LENGTHS = [60, 120, 250, 900]

const [name = '', folder = join(homedir(), '.ken', 'models')] = process.argv.slice(2)
const model = findModel(name)
if (model === undefined) throw new Error(`there is no model ${name}`)
const root = join(import.meta.dirname, '..')
const files = PATTERNS.flatMap((pattern) =>
  globSync(pattern, { cwd: root })
    .sort()
    .filter((_, at) => at % (pattern.startsWith('src') ? 8 : 1) === 0),
)
const texts = files.flatMap((file) => passages(readFileSync(join(root, file), 'utf8')))
const embedder = openOnnxEmbedder({ folder: join(folder, name), model: { ...model, centre: undefined } })
const mean = new Float32Array(model.dimensions)
for (const [at, text] of texts.entries()) {
  const [vector] = await embedder.embed([text], 'document')
  vector!.forEach((component, d) => (mean[d]! += component / texts.length))
  if (at % 100 === 0) console.error(`${at} of ${texts.length}`)
}
await embedder.close()
const { bytes, scale } = quantize(mean)
console.log(
  `length ${Math.hypot(...mean).toFixed(3)} over ${texts.length} passages\n{ scale: ${scale}, bytes: '${Buffer.from(bytes.buffer).toString('base64')}' }`,
)

function passages(text: string): string[] {
  const step = Math.floor(text.length / LENGTHS.length)
  return LENGTHS.map((length, at) => text.slice(at * step, at * step + length)).filter(
    (passage) => passage.trim().length > 40,
  )
}
