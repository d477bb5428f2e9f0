import { bytesField, readFields, text, textsOf, whole, wholesOf, writeFields, type Field } from './protobuf.ts'

const GRAPH = 7
const NODE = 1
const INITIALIZER = 5
const NODE_INPUT = 1
const NODE_OUTPUT = 2
const OP_TYPE = 4
const TENSOR = { dims: 1, type: 2, name: 8, raw: 9 } as const
const [FLOAT, INT8] = [1, 3]

// 7 bits, not 8: x64 processors without VNNI add two products in 16 bits, which larger weights would overflow.
const LARGEST = 63

/**
 * Quantises a transformer from four-byte to one-byte weights: integer products with one scale per column, and word
 * vectors with one scale per row. Deterministic on every machine, so the result can be checked by its hash.
 */
export function quantizeOnnx(model: Uint8Array): Uint8Array {
  const outer = readFields(model)
  const graph = readFields(outer.find(({ number }) => number === GRAPH)?.bytes ?? new Uint8Array())
  const matrices = new Map(
    graph
      .filter(({ number }) => number === INITIALIZER)
      .flatMap(({ bytes }) => toMatrix(bytes))
      .map((matrix) => [matrix.name, matrix]),
  )
  const made = new Map<string, readonly Field[]>()
  const quantizedInputs = new Set<string>()
  const nodes = graph
    .filter(({ number }) => number === NODE)
    .flatMap((field) => {
      const node = readFields(field.bytes)
      const [op] = textsOf(node, OP_TYPE)
      const inputs = textsOf(node, NODE_INPUT)
      const [output] = textsOf(node, NODE_OUTPUT)
      const [left, right] = [matrices.get(inputs[0] ?? ''), matrices.get(inputs[1] ?? '')]
      if (op === 'MatMul' && right !== undefined) {
        made.set(right.name, byColumns(right))
        const isNew = !quantizedInputs.has(inputs[0]!)
        quantizedInputs.add(inputs[0]!)
        return productNodes({ activation: inputs[0]!, weight: right.name, output: output!, isNew })
      }
      if (op === 'Gather' && left !== undefined && inputs[1] !== undefined) {
        made.set(left.name, byRows(left))
        return lookupNodes({ table: left.name, index: inputs[1], output: output! })
      }
      return [field]
    })
  const initializers = graph
    .filter(({ number }) => number === INITIALIZER)
    .flatMap((field) => made.get(nameOf(field.bytes)) ?? [field])
  const rest = graph.filter(({ number }) => number !== NODE && number !== INITIALIZER)
  const changed = writeFields([...nodes, ...initializers, ...rest])
  return writeFields(outer.map((field) => (field.number === GRAPH ? bytesField(GRAPH, changed) : field)))
}

interface Matrix {
  readonly name: string
  readonly rows: number
  readonly columns: number
  readonly values: Float32Array
}

function toMatrix(tensor: Uint8Array): Matrix[] {
  const fields = readFields(tensor)
  const [rows, columns, ...more] = wholesOf(fields, TENSOR.dims)
  const raw = fields.find(({ number }) => number === TENSOR.raw)?.bytes
  if (
    wholesOf(fields, TENSOR.type)[0] !== FLOAT ||
    rows === undefined ||
    columns === undefined ||
    more.length > 0 ||
    raw?.length !== 4 * rows * columns
  )
    return []
  return [
    {
      name: textsOf(fields, TENSOR.name)[0] ?? '',
      rows,
      columns,
      values: new Float32Array(new Uint8Array(raw).buffer),
    },
  ]
}

const nameOf = (tensor: Uint8Array): string => textsOf(readFields(tensor), TENSOR.name)[0] ?? ''

const byColumns = (matrix: Matrix): Field[] =>
  quantized(matrix, { groups: matrix.columns, step: 1, scaleShape: [matrix.columns] })
const byRows = (matrix: Matrix): Field[] =>
  quantized(matrix, { groups: matrix.rows, step: matrix.columns, scaleShape: [matrix.rows, 1] })

/** Values are grouped by position: `step` consecutive values, then the next group. */
function quantized(
  { name, rows, columns, values }: Matrix,
  { groups, step, scaleShape }: { groups: number; step: number; scaleShape: readonly number[] },
): Field[] {
  const groupOf = (at: number) => Math.floor(at / step) % groups
  const largest = new Float32Array(groups)
  for (let at = 0; at < values.length; at++)
    largest[groupOf(at)] = Math.max(largest[groupOf(at)]!, Math.abs(values[at]!))
  const scales = largest.map((value) => (value === 0 ? 1 : value / LARGEST))
  const bytes = new Int8Array(values.length)
  for (let at = 0; at < values.length; at++) bytes[at] = Math.round(values[at]! / scales[groupOf(at)]!)
  return [
    tensor(`${name}_q`, { type: INT8, shape: [rows, columns], raw: bytes }),
    tensor(`${name}_scale`, { type: FLOAT, shape: scaleShape, raw: scales }),
  ]
}

function tensor(
  name: string,
  { type, shape, raw }: { type: number; shape: readonly number[]; raw: Int8Array | Float32Array },
): Field {
  const data = new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength)
  return bytesField(
    INITIALIZER,
    writeFields([
      ...shape.map((size) => whole(TENSOR.dims, size)),
      whole(TENSOR.type, type),
      text(TENSOR.name, name),
      bytesField(TENSOR.raw, data),
    ]),
  )
}

/** The runtimes recognise this order of nodes and fuse it into one step. */
function productNodes({
  activation,
  weight,
  output,
  isNew,
}: {
  activation: string
  weight: string
  output: string
  isNew: boolean
}): Field[] {
  const [q, scale, zero] = ['_q', '_scale', '_zero'].map((end) => `${activation}${end}`) as [string, string, string]
  return [
    ...(isNew ? [operation('DynamicQuantizeLinear', [activation], [q, scale, zero])] : []),
    operation('MatMulInteger', [q, `${weight}_q`, zero], [`${output}_whole`]),
    operation('Cast', [`${output}_whole`], [`${output}_cast`], castTo(FLOAT)),
    operation('Mul', [scale, `${weight}_scale`], [`${output}_scales`]),
    operation('Mul', [`${output}_cast`, `${output}_scales`], [output]),
  ]
}

function lookupNodes({ table, index, output }: { table: string; index: string; output: string }): Field[] {
  return [
    operation('Gather', [`${table}_q`, index], [`${output}_whole`]),
    operation('Cast', [`${output}_whole`], [`${output}_cast`], castTo(FLOAT)),
    operation('Gather', [`${table}_scale`, index], [`${output}_scales`]),
    operation('Mul', [`${output}_cast`, `${output}_scales`], [output]),
  ]
}

function operation(
  type: string,
  inputs: readonly string[],
  outputs: readonly string[],
  ...attributes: readonly Field[]
): Field {
  const [output] = outputs
  return bytesField(
    NODE,
    writeFields([
      ...inputs.map((name) => text(NODE_INPUT, name)),
      ...outputs.map((name) => text(NODE_OUTPUT, name)),
      text(3, `${type} ${output}`),
      text(OP_TYPE, type),
      ...attributes,
    ]),
  )
}

const castTo = (type: number): Field => bytesField(5, writeFields([text(1, 'to'), whole(3, type), whole(20, 2)]))
