/**
 * Adds `count` rows to the sum at `sum`: each of `width` signed bytes, times a factor, in the order of the list. An
 * entry of the list is the address of a row and its factor as a 32-bit float; all addresses are byte offsets into the
 * memory, and `width` is a multiple of BLOCK.
 */
export type RowKernel = (list: number, count: number, sum: number, width: number) => void

/** Dimensions with sums kept in registers while all rows are added. */
export const BLOCK = 32

/** The kernel in WebAssembly SIMD over the given memory; undefined if the runtime does not support it. */
export function compileRowKernel(memory: WasmMemory): RowKernel | undefined {
  try {
    const module = new WebAssembly.Module(moduleBytes())
    return new WebAssembly.Instance(module, { m: { m: memory } }).exports.add
  } catch {
    return undefined
  }
}

/** The same for one row in plain JavaScript, with the same rounding after every step. */
export function addRow(sum: Float32Array, row: Int8Array, factor: number): void {
  for (let d = 0; d < sum.length; d++) sum[d] = sum[d]! + Math.fround(row[d]! * factor)
}

// Node has the global, but neither lib ES2024 nor @types/node describes it.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { add: RowKernel } }
  Memory: new (pages: { initial: number; maximum: number }) => WasmMemory
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer
}

const PAGE = 65_536
const MOST_PAGES = 65_536

/** Plain memory if there is no WebAssembly, or no room for its memory in the address space. */
export function newMemory(bytes: number): WasmMemory {
  const pages = Math.ceil(bytes / PAGE)
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages })
  } catch {
    return { buffer: new ArrayBuffer(bytes) }
  }
}

const I32 = 0x7f
const V128 = 0x7b
const LANES = BLOCK / 4
const [LIST, COUNT, SUM, WIDTH, AT, END, ROW, FACTOR, HALF] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const LANE = 9
const DONE = LANE + LANES

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const int = (value: number) => [0x41, ...signed(value)]
const simd = (...opcode: number[]) => [0xfd, ...opcode]
const each = <T>(count: number, of: (i: number) => readonly T[]): T[] =>
  Array.from({ length: count }, (_, i) => of(i)).flat()
const ADD = 0x6a
const SHIFT_LEFT = 0x74
const loadInt = [0x28, 0x02, 0x00]
const load4 = (offset: number) => simd(0x00, 0x02, ...unsigned(offset))
const store4 = (offset: number) => simd(0x0b, 0x02, ...unsigned(offset))
const loadBytes = (offset: number) => simd(0x01, 0x00, ...unsigned(offset))
const LOAD_SPLAT = simd(0x09, 0x02, 0x04)
const EXTEND_LOW = simd(0xa7, 0x01)
const EXTEND_HIGH = simd(0xa8, 0x01)
const TO_FLOAT = simd(0xfa, 0x01)
const MULTIPLY = simd(0xe6, 0x01)
const ADD_FLOATS = simd(0xe4, 0x01)

/** Repeats `body` until the local variable to which `step` is added reaches `limit`. */
const loop = (body: readonly number[], { local, step, limit }: { local: number; step: number; limit: number }) => [
  0x03,
  0x40,
  ...body,
  ...get(local),
  ...int(step),
  ADD,
  0x22,
  local,
  ...get(limit),
  0x49,
  0x0d,
  0x00,
  0x0b,
]

const addTo = (lane: number, extend: readonly number[]) => [
  ...get(lane),
  ...get(HALF),
  ...extend,
  ...TO_FLOAT,
  ...get(FACTOR),
  ...MULTIPLY,
  ...ADD_FLOATS,
  ...set(lane),
]

/** Eight bytes at a time are widened to 16, then to 32 bits and to floats. */
const ONE_ROW = [
  ...get(AT),
  ...loadInt,
  ...get(DONE),
  ADD,
  ...set(ROW),
  ...get(AT),
  ...LOAD_SPLAT,
  ...set(FACTOR),
  ...each(LANES / 2, (i) => [
    ...get(ROW),
    ...loadBytes(8 * i),
    ...set(HALF),
    ...addTo(LANE + 2 * i, EXTEND_LOW),
    ...addTo(LANE + 2 * i + 1, EXTEND_HIGH),
  ]),
]

const ONE_BLOCK = [
  ...each(LANES, (i) => [...get(SUM), ...load4(16 * i), ...set(LANE + i)]),
  ...get(LIST),
  ...set(AT),
  ...loop(ONE_ROW, { local: AT, step: 8, limit: END }),
  ...each(LANES, (i) => [...get(SUM), ...get(LANE + i), ...store4(16 * i)]),
  ...get(SUM),
  ...int(4 * BLOCK),
  ADD,
  ...set(SUM),
]

const BODY = [
  ...get(LIST),
  ...get(COUNT),
  ...int(3),
  SHIFT_LEFT,
  ADD,
  ...set(END),
  ...loop(ONE_BLOCK, { local: DONE, step: BLOCK, limit: WIDTH }),
  0x0b,
]

// "\0asm", version 1.
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

function moduleBytes(): Uint8Array {
  const name = (text: string) => [text.length, ...[...text].map((letter) => letter.charCodeAt(0))]
  const section = (id: number, content: number[]) => [id, ...unsigned(content.length), ...content]
  // AT, END, ROW; FACTOR, HALF and the lanes; DONE.
  const locals = [3, 3, I32, 2 + LANES, V128, 1, I32]
  const code = [...locals, ...BODY]
  return Uint8Array.from([
    ...MAGIC,
    ...section(1, [1, 0x60, 4, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...name('m'), ...name('m'), 0x02, 0x01, 1, ...unsigned(MOST_PAGES)]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('add'), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)]
}
