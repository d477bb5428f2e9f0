/**
 * Measures how fast the bundled model makes vectors: `npm run bench:embed [-- --megabytes 4]`. Compares prose and code
 * from this repository and its packages with invented words, which split into many pieces. Each row has its peers from
 * the same run: the same rows added by a plain JavaScript loop, and read once at memory speed. Times are CPU seconds of
 * this process, alternating, the best of several rounds; the relevant figure is the ratio.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chunkDocument, textToEmbed } from '../src/memory/domain/document/analyse-document.ts'
import { quantize } from '../src/retrieval/domain/ranking/vector.ts'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import { openModelFile } from '../src/retrieval/embed/static/model-file.ts'
import { openRowReader } from '../src/retrieval/embed/static/read-rows.ts'
import { openRowTable } from '../src/retrieval/embed/static/row-table.ts'
import { writeCorpus } from './index/corpus.ts'
import { realTexts } from './real-text.ts'

const MODEL = resolve(import.meta.dirname, '../models/static-256/model.bin')
const ROUNDS = 5
const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '4' } } })
const most = Number(values.megabytes) * 1e6

const rows: string[][] = []
for (const [name, texts] of Object.entries(sets())) rows.push(await measure(name, texts))
const titles = [
  'text',
  'MB',
  'MB/s first',
  'MB/s',
  'texts/s',
  'rows/word',
  'kernel ns/row',
  '× plain loop',
  '× memory',
  'of it: words, rows, int8',
]
console.log(`| ${titles.join(' | ')} |\n|${titles.map(() => '---|').join('')}`)
for (const row of rows) console.log(`| ${row.join(' | ')} |`)
console.log(
  '\n× plain loop: how many times as fast as JavaScript adds the same rows. × memory: the share of the speed at which the same rows are only read.',
)

function sets(): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-embed-bench-'))
  writeCorpus(folder, Math.ceil(most / 4_300))
  const invented = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
  rmSync(folder, { recursive: true })
  return {
    'real prose': toEmbed(realTexts('prose', most)),
    'real code': toEmbed(realTexts('code', most)),
    'invented words': toEmbed(invented),
  }
}

function toEmbed(texts: Iterable<string>): string[] {
  const place = { origin: 'document', path: 'page.md' } as const
  return Array.from(texts, (text) =>
    chunkDocument(place, text).map((chunk) => textToEmbed('Page', chunk.heading, chunk.text)),
  ).flat()
}

async function measure(name: string, texts: readonly string[]): Promise<string[]> {
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6
  const model = openModelFile(MODEL)
  const embedder = openStaticEmbedder(MODEL)
  const read = openRowReader(model.vocabulary())
  const lists = texts.map((text) => read(text).rows)
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  const words = texts.reduce((sum, text) => sum + (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0), 0)
  const { fast, plain, touch } = tables(model.dimensions)
  let vectors: Float32Array[] = []
  const first = await cpu(async () => (vectors = await embedder.embed(texts, 'document')))
  const best = { whole: Infinity, words: Infinity, kernel: Infinity, plain: Infinity, memory: Infinity, int8: Infinity }
  for (let round = 0; round < ROUNDS; round++) {
    const note = async (key: keyof typeof best, work: () => unknown) =>
      (best[key] = Math.min(best[key], await cpu(work)))
    await note('whole', async () => (await embedder.embed(texts, 'document')).map(quantize))
    await note('words', () => texts.forEach((text) => read(text)))
    await note('kernel', () => lists.forEach((list) => fast.sum(list)))
    await note('plain', () => lists.forEach((list) => plain.sum(list)))
    await note('memory', () => lists.forEach(touch))
    await note('int8', () => vectors.map(quantize))
  }
  await embedder.close()
  model.close()
  const share = (part: number) => `${((100 * part) / best.whole).toFixed(0)} %`
  return [
    name,
    megabytes.toFixed(1),
    (megabytes / first).toFixed(1),
    (megabytes / best.whole).toFixed(1),
    (texts.length / best.whole).toFixed(0),
    (count / words).toFixed(2),
    ((1e9 * best.kernel) / count).toFixed(0),
    (best.plain / best.kernel).toFixed(1),
    (best.memory / best.kernel).toFixed(2),
    [best.words, best.kernel, best.int8].map(share).join(', '),
  ]
}

/** The model's rows: one copy for the kernel, one for the plain loop and one for the read-only pass. */
function tables(dimensions: number) {
  const file = readFileSync(MODEL)
  const rowsInAll = file.readUInt32LE(12)
  const scalesAt = 64 + 4 * rowsInAll + file.readUInt32LE(16)
  const scales = new Float32Array(
    file.buffer.slice(file.byteOffset + scalesAt, file.byteOffset + scalesAt + 4 * rowsInAll),
  )
  const bytes = file.subarray(scalesAt + 4 * rowsInAll)
  const parts = { dimensions, scales, fill: (into: Uint8Array) => into.set(bytes) }
  const wide = new Float64Array(Uint8Array.from(bytes).buffer)
  const width = dimensions / 8
  return {
    fast: openRowTable(parts),
    plain: openRowTable({ ...parts, plain: true }),
    touch(list: readonly number[]): number {
      let sum = 0
      for (const row of list) for (let at = row * width, end = at + width; at < end; at++) sum += wide[at]!
      return sum
    },
  }
}

async function cpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
