// Folds a glossary into a static model: every term's row is pulled towards its gloss. `node add-glossary.ts --model
// model.bin --glossary glossary.tsv --out model.bin [--pull 1] [--id static-256-2]`
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { wordsOf } from '../../src/retrieval/embed/static/words.ts'

const HEADER = 64
const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    glossary: { type: 'string', default: new URL('glossary.tsv', import.meta.url).pathname },
    out: { type: 'string' },
    pull: { type: 'string', default: '1' },
    id: { type: 'string' },
  },
})
const pull = Number(values.pull)
const model = readModel(readFileSync(values.model!))
const usual = usualNorm()
let [known, added, empty] = [0, 0, 0]
const changed = new Map<string, Float32Array>()
for (const [term, gloss] of readGlossary()) {
  const meaning = unit(sumOf(gloss))
  if (meaning === undefined) {
    empty++
    continue
  }
  const entry = term.includes(' ') ? `  ${term}` : model.rows.has(term) ? term : ` ${term}`
  const own = model.rows.get(entry) ?? (term.includes(' ') ? scaled(unit(sumOf(term)), usual) : undefined)
  if (model.rows.has(entry)) known++
  else added++
  changed.set(entry, own === undefined ? scaled(meaning, usual)! : plus(own, meaning, pull * norm(own)))
}
for (const [entry, row] of changed) model.rows.set(entry, row)
writeFileSync(values.out!, modelBytes(values.id ?? model.id))
console.log(`${known} rows moved, ${added} added, ${empty} glosses without a known word; ${model.rows.size} rows`)

function readGlossary(): [string, string][] {
  return readFileSync(values.glossary, 'utf8')
    .split('\n')
    .filter((line) => line.includes('\t') && !line.startsWith('#'))
    .map((line) => line.split('\t') as [string, string])
}

function readModel(bytes: Buffer) {
  const [dimensions, count, text] = [8, 12, 16].map((at) => bytes.readUInt32LE(at)) as [number, number, number]
  const entriesAt = HEADER + 4 * count
  const scalesAt = entriesAt + text
  const rows = new Map<string, Float32Array>()
  let start = 0
  for (let i = 0; i < count; i++) {
    const end = bytes.readUInt32LE(HEADER + 4 * i)
    const scale = bytes.readFloatLE(scalesAt + 4 * i)
    const at = scalesAt + 4 * count + i * dimensions
    rows.set(
      bytes.toString('utf8', entriesAt + start, entriesAt + end),
      Float32Array.from(new Int8Array(bytes.subarray(at, at + dimensions)), (value) => value * scale),
    )
    start = end
  }
  return {
    header: bytes.subarray(0, HEADER),
    dimensions,
    rows,
    id: bytes.toString('utf8', 32, HEADER).replace(/\0+$/, ''),
  }
}

/** Median vector length of whole-word rows: the weight of a word that is neither filler nor rare. */
function usualNorm(): number {
  const norms = [...model.rows].filter(([entry]) => entry.startsWith(' ')).map(([, row]) => norm(row))
  return norms.sort((a, b) => a - b)[norms.length >> 1]!
}

function sumOf(text: string): Float32Array {
  const sum = new Float32Array(model.dimensions)
  for (const word of wordsOf(text.toLowerCase())) {
    const row = model.rows.get(word) ?? model.rows.get(` ${word}`)
    row?.forEach((value, d) => (sum[d]! += value))
  }
  return sum
}

function norm(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
}

function unit(vector: Float32Array): Float32Array | undefined {
  const length = norm(vector)
  return length === 0 ? undefined : vector.map((value) => value / length)
}

function scaled(vector: Float32Array | undefined, factor: number): Float32Array | undefined {
  return vector?.map((value) => value * factor)
}

/** Adds a gloss but keeps the row's length: otherwise a word's weight would depend on having a gloss. */
function plus(row: Float32Array, meaning: Float32Array, factor: number): Float32Array {
  return scaled(unit(row.map((value, d) => value + factor * meaning[d]!)), norm(row)) ?? row
}

function modelBytes(id: string): Buffer {
  const entries = [...model.rows.keys()].map((entry) => Buffer.from(entry)).sort(Buffer.compare)
  const header = Buffer.from(model.header)
  header.writeUInt32LE(entries.length, 12)
  header.writeUInt32LE(
    entries.reduce((sum, entry) => sum + entry.length, 0),
    16,
  )
  header.fill(0, 32)
  header.write(id, 32)
  let end = 0
  const ends = Uint32Array.from(entries, (entry) => (end += entry.length))
  const rows = entries.map((entry) => model.rows.get(entry.toString())!)
  const scales = Float32Array.from(rows, (row) => Math.max(...row.map(Math.abs)) / 127)
  const bytes = Buffer.concat(
    rows.map((row, i) => Buffer.from(Int8Array.from(row, (value) => Math.round(value / scales[i]!)).buffer)),
  )
  return Buffer.concat([header, Buffer.from(ends.buffer), ...entries, Buffer.from(scales.buffer), bytes])
}
