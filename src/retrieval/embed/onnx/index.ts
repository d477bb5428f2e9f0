import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../kernel/domain/errors.ts'
import { CATALOGUE, findModel, type CatalogueModel } from '../../domain/embedding/catalogue.ts'
import { hasWords } from '../../domain/embedding/model-input.ts'
import { readWordPieces, type WordPieces } from '../../domain/embedding/word-piece.ts'
import { dequantize, toUnitLength } from '../../domain/ranking/vector.ts'
import type { Embedder } from '../../ports/embedder.ts'
import { defineEmbedder } from '../define-embedder.ts'
import { loadOnnxRuntime, type OnnxRuntime, type OnnxSession } from './runtime.ts'

export interface OnnxEmbedderParts {
  /** Contains model.onnx and tokenizer.json. */
  readonly folder: string
  readonly model: Pick<CatalogueModel, 'name' | 'dimensions' | 'window' | 'centre' | 'calibration'>
  readonly loadRuntime?: () => Promise<OnnxRuntime>
}

/** A sentence transformer from `ken models pull`. */
export const onnx = defineEmbedder({
  name: 'onnx:<name>',
  sendsText: false,
  async open({ model: name, modelsFolder }) {
    const model = findModel(name)
    if (model === undefined)
      throw new AppError('invalid_input', `search.embedder names the unknown model "${name}"`, {
        hint: `There are ${CATALOGUE.map((one) => `onnx:${one.name}`).join(' and ')}.`,
      })
    return openOnnxEmbedder({ folder: join(modelsFolder, name), model })
  },
})

// The longest chunk has about 1,500 tokens of code.
const MOST_TOKENS = 2_048

/** A sentence transformer in this process. Loads nothing before the first text. */
export function openOnnxEmbedder({ folder, model, loadRuntime = loadOnnxRuntime }: OnnxEmbedderParts): Embedder {
  if (!existsSync(join(folder, 'model.onnx')))
    throw new AppError('unavailable', `The model ${model.name} is not on this machine`, {
      hint: `Run \`ken models pull ${model.name}\`.`,
    })
  const centre =
    model.centre &&
    dequantize({ bytes: new Int8Array(Buffer.from(model.centre.bytes, 'base64')), scale: model.centre.scale })
  let loading: Promise<Loaded> | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function loadOnce(): Promise<Loaded> {
    loading ??= load(folder, loadRuntime).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  /** Runs work one item at a time, as a session requires; a query can run between two texts of a long list. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(async () => {
      await setImmediate()
      if (isClosed) throw new AppError('unavailable', `The model ${model.name} was closed`)
      return work()
    })
    turn = next.catch(() => undefined)
    return next
  }

  // Texts are not batched: integer models scale a batch as one, so a vector would depend on its neighbours.
  async function embedText(text: string): Promise<Float32Array> {
    const loaded = await loadOnce()
    const sum = new Float32Array(model.dimensions)
    const pieces = loaded.words.encode(text, MOST_TOKENS)
    for (let at = 0; at < pieces.length; at += model.window - 2) {
      addTokens(sum, await inTurn(() => run(loaded, pieces.slice(at, at + model.window - 2))))
    }
    const vector = toUnitLength(sum)
    return centre === undefined ? vector : toUnitLength(vector.map((component, d) => component - centre[d]!))
  }

  return {
    id: `onnx:${model.name}:${model.dimensions}:${centre === undefined ? 'plain' : 'centred'}`,
    dimensions: model.dimensions,
    calibration: model.calibration,
    async embed(texts) {
      const vectors: Float32Array[] = []
      for (const text of texts)
        vectors.push(hasWords(text) ? await embedText(text) : new Float32Array(model.dimensions))
      return vectors
    },
    knows: () => false,
    async close() {
      isClosed = true
      await turn
      await (await loading?.catch(() => undefined))?.session.release()
    },
  }
}

// Threads that spin while waiting double the time on a busy machine.
const SESSION = { logSeverityLevel: 3, extra: { session: { intra_op: { allow_spinning: '0' } } } }

interface Loaded {
  readonly runtime: OnnxRuntime
  readonly session: OnnxSession
  readonly words: WordPieces
}

async function load(folder: string, loadRuntime: () => Promise<OnnxRuntime>): Promise<Loaded> {
  const runtime = await loadRuntime()
  try {
    const words = readWordPieces(JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8')))
    if (words === undefined) throw new Error('tokenizer.json is not of the BERT family')
    const session = await runtime.InferenceSession.create(await readFile(join(folder, 'model.onnx')), SESSION)
    return { runtime, session, words }
  } catch (error) {
    throw new AppError(
      'damaged',
      `The model in ${folder} cannot be read: ${String((error as Error).message).split('\n')[0]}`,
      { hint: 'Pull it again with `ken models pull`.', cause: error },
    )
  }
}

async function run({ runtime, session, words }: Loaded, pieces: readonly number[]): Promise<Float32Array> {
  const ids = BigInt64Array.from([words.first, ...pieces, words.last], BigInt)
  const tensor = (values: BigInt64Array) => new runtime.Tensor('int64', values, [1, ids.length])
  const all = {
    input_ids: tensor(ids),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  }
  const output = await session.run(
    Object.fromEntries(Object.entries(all).filter(([name]) => session.inputNames.includes(name))),
  )
  return Object.values(output)[0]!.data as Float32Array
}

/** The mean over all tokens of all windows, up to a factor that normalisation removes. */
function addTokens(sum: Float32Array, states: Float32Array): void {
  for (let at = 0; at < states.length; at++) sum[at % sum.length]! += states[at]!
}
