/** A unit vector in one byte per dimension: component = byte * scale. Costs at most .002 nDCG against floats. */
export interface QuantizedVector {
  readonly bytes: Int8Array
  readonly scale: number
}

export function quantize(vector: Float32Array): QuantizedVector {
  const bytes = new Int8Array(vector.length)
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!))
  if (largest === 0) return { bytes, scale: 0 }
  const scale = Math.fround(largest / 127)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.round(vector[i]! / scale)
  return { bytes, scale }
}

export function dequantize(vector: QuantizedVector): Float32Array {
  return Float32Array.from(vector.bytes, (byte) => byte * vector.scale)
}

/** The cosine of two vectors that had unit length before quantisation. */
export function quantizedDot(a: QuantizedVector, b: QuantizedVector): number {
  let sum = 0
  for (let i = 0; i < a.bytes.length; i++) sum += a.bytes[i]! * b.bytes[i]!
  return sum * a.scale * b.scale
}

/** A zero vector stays zero. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0
  for (const component of vector) squares += component * component
  if (squares === 0) return vector
  const factor = 1 / Math.sqrt(squares)
  return vector.map((component) => component * factor)
}

/** The cosine of two vectors of unit length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** Zero for a zero vector: text without words resembles nothing. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let squaresA = 0
  let squaresB = 0
  for (let i = 0; i < a.length; i += 1) {
    const x = a[i] as number
    const y = b[i] as number
    dot += x * y
    squaresA += x * x
    squaresB += y * y
  }
  return squaresA === 0 || squaresB === 0 ? 0 : dot / Math.sqrt(squaresA * squaresB)
}
