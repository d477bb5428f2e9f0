/**
 * One field of a protobuf message; `bytes` for strings and messages, `value` for integers. Other kinds keep their
 * bytes.
 */
export interface Field {
  readonly number: number
  readonly wire: number
  readonly bytes: Uint8Array
  readonly value: number
}

const [WHOLE, LONG, MESSAGE, SHORT] = [0, 1, 2, 5]

export function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length;) {
    const key = readVarint(message, at)
    const wire = key.value & 7
    const number = Math.floor(key.value / 8)
    const start = key.end
    if (wire === WHOLE) {
      const { value, end } = readVarint(message, start)
      fields.push({ number, wire, value, bytes: message.subarray(start, end) })
      at = end
    } else {
      const length =
        wire === MESSAGE
          ? readVarint(message, start)
          : { value: wire === LONG ? 8 : wire === SHORT ? 4 : NaN, end: start }
      at = length.end + length.value
      if (!(at <= message.length)) throw new RangeError('a field reaches beyond its message')
      fields.push({ number, wire, value: 0, bytes: message.subarray(length.end, at) })
    }
  }
  return fields
}

export const writeFields = (fields: readonly Field[]): Uint8Array =>
  Buffer.concat(
    fields.flatMap(({ number, wire, bytes }) => [
      varint(number * 8 + wire),
      ...(wire === MESSAGE ? [varint(bytes.length)] : []),
      bytes,
    ]),
  )

export const whole = (number: number, value: number): Field => ({ number, wire: WHOLE, value, bytes: varint(value) })
export const bytesField = (number: number, bytes: Uint8Array): Field => ({ number, wire: MESSAGE, value: 0, bytes })
export const text = (number: number, value: string): Field => bytesField(number, Buffer.from(value))

export const textsOf = (fields: readonly Field[], number: number): string[] =>
  fields.filter((field) => field.number === number).map(({ bytes }) => Buffer.from(bytes).toString())

/** Integers of a repeated field, packed or not. */
export function wholesOf(fields: readonly Field[], number: number): number[] {
  return fields
    .filter((field) => field.number === number)
    .flatMap(({ wire, value, bytes }) => (wire === WHOLE ? [value] : unpack(bytes)))
}

function unpack(bytes: Uint8Array): number[] {
  const values: number[] = []
  for (let at = 0; at < bytes.length;) {
    const { value, end } = readVarint(bytes, at)
    values.push(value)
    at = end
  }
  return values
}

function readVarint(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++]
    if (byte === undefined) throw new RangeError('a number is cut off')
    value += (byte & 127) * factor
    if (byte < 128) return { value, end: at }
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  return Uint8Array.from([...bytes, value])
}
