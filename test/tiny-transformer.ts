import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OnnxRuntime } from '../src/retrieval/embed/onnx/runtime.ts'
import { bytesField, text, whole, writeFields, type Field } from '../src/retrieval/model-registry/protobuf.ts'

const MEANINGS = [
  ['sign', 'log', 'users', 'people', 'password', 'authentication', 'login'],
  ['cache', 'redis', 'remember'],
  ['database', 'postgres', 'migration'],
  ['invoice', 'cents', 'total', 'rounded'],
  ['deploy', 'friday', 'release'],
]
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789']
const ENTRIES = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  ...MEANINGS.flat(),
  ...LETTERS,
  ...LETTERS.map((letter) => `##${letter}`),
]

export const TINY = { name: 'tiny', dimensions: 16, window: 32, centre: undefined, calibration: undefined } as const

/**
 * A model with the inputs, output and tokenizer of a BERT, and two operations: a lookup of word vectors by meaning,
 * then a matrix product.
 */
export function writeTinyTransformer(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'model.onnx'), tinyModel())
  writeFileSync(join(folder, 'tokenizer.json'), tinyTokenizer())
}

export const tinyTokenizer = (): string =>
  JSON.stringify({
    normalizer: { type: 'BertNormalizer', lowercase: true },
    model: {
      type: 'WordPiece',
      continuing_subword_prefix: '##',
      vocab: Object.fromEntries(ENTRIES.map((entry, number) => [entry, number])),
    },
  })

export function tinyModel(): Uint8Array {
  const { dimensions } = TINY
  const table = Float32Array.from({ length: ENTRIES.length * dimensions }, (_, at) =>
    component(Math.floor(at / dimensions), at % dimensions),
  )
  const weights = Float32Array.from({ length: dimensions ** 2 }, (_, at) => weight(at))
  const graph = writeFields([
    node('Gather', ['table', 'input_ids'], 'looked_up'),
    node('MatMul', ['looked_up', 'weights'], 'last_hidden_state'),
    text(2, 'tiny'),
    tensor('table', [ENTRIES.length, dimensions], table),
    tensor('weights', [dimensions, dimensions], weights),
    bytesField(11, valueInfo('input_ids', 7, ['batch', 'sequence'])),
    bytesField(12, valueInfo('last_hidden_state', 1, ['batch', 'sequence', 'hidden'])),
  ])
  return writeFields([whole(1, 6), bytesField(7, graph), bytesField(8, writeFields([text(1, ''), whole(2, 11)]))])
}

/** Replaces onnxruntime, which is large; runs only the tiny model. */
export const tinyRuntime: OnnxRuntime = {
  Tensor: class {
    readonly values: BigInt64Array
    constructor(_type: 'int64', values: BigInt64Array) {
      this.values = values
    }
  },
  InferenceSession: {
    async create(model) {
      if (Buffer.compare(model, tinyModel()) !== 0) throw new Error('this is not the tiny model')
      return {
        inputNames: ['input_ids'],
        async run({ input_ids: ids }) {
          const entries = [...(ids as { values: BigInt64Array }).values].map(Number)
          const data = Float32Array.from(entries.flatMap(hiddenState))
          return { last_hidden_state: { data, dims: [1, entries.length, TINY.dimensions] } }
        },
        async release() {},
      }
    },
  },
}

const hiddenState = (entry: number): number[] =>
  Array.from({ length: TINY.dimensions }, (_column, column) =>
    Array.from({ length: TINY.dimensions }, (_row, row) => row).reduce(
      (sum, row) => sum + component(entry, row) * weight(row * TINY.dimensions + column),
      0,
    ),
  )

/** Entry of a matrix close to the identity, so that meanings stay distinct but all places differ. */
const weight = (at: number): number => (at % (TINY.dimensions + 1) === 0 ? 1 : Math.sin(at) / 20)

function component(entry: number, dimension: number): number {
  const meaning = MEANINGS.findIndex((words) => words.includes(ENTRIES[entry]!))
  if (meaning >= 0) return dimension === meaning ? 1 : 0
  if (entry < 4) return entry === 1 && dimension === 15 ? 0.1 : 0
  return dimension < MEANINGS.length ? 0 : Math.cos(entry * dimension) / 50
}

const node = (type: string, inputs: readonly string[], output: string): Field =>
  bytesField(1, writeFields([...inputs.map((name) => text(1, name)), text(2, output), text(4, type)]))

const tensor = (name: string, shape: readonly number[], values: Float32Array): Field =>
  bytesField(
    5,
    writeFields([
      ...shape.map((size) => whole(1, size)),
      whole(2, 1),
      text(8, name),
      bytesField(9, new Uint8Array(values.buffer)),
    ]),
  )

function valueInfo(name: string, type: number, shape: readonly string[]): Uint8Array {
  const dimensions = writeFields(shape.map((size) => bytesField(1, writeFields([text(2, size)]))))
  const tensorType = writeFields([whole(1, type), bytesField(2, dimensions)])
  return writeFields([text(1, name), bytesField(2, writeFields([bytesField(1, tensorType)]))])
}
