/** SHA-256 of the UTF-8 bytes of `text`, in lower-case hex. In TypeScript because core may not use node:crypto. */
export function sha256(text: string): string {
  const message = padded(utf8(text))
  const state = Uint32Array.of(
    0x6a09e667,
    0xbb67ae85,
    0x3c6ef372,
    0xa54ff53a,
    0x510e527f,
    0x9b05688c,
    0x1f83d9ab,
    0x5be0cd19,
  )
  const schedule = new Uint32Array(64)
  for (let block = 0; block < message.length; block += 64) mix(state, schedule, message, block)
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('')
}

const ROUND = roundConstants()

function mix(state: Uint32Array, w: Uint32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    const o = at + i * 4
    w[i] = (bytes[o]! << 24) | (bytes[o + 1]! << 16) | (bytes[o + 2]! << 8) | bytes[o + 3]!
  }
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15]!
    const b = w[i - 2]!
    w[i] = w[i - 16]! + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7]! + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i]! + w[i]!) | 0
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + value
}

const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by))

function padded(bytes: Uint8Array): Uint8Array {
  const length = Math.ceil((bytes.length + 9) / 64) * 64
  const out = new Uint8Array(length)
  out.set(bytes)
  out[bytes.length] = 0x80
  const view = new DataView(out.buffer)
  view.setUint32(length - 8, Math.floor((bytes.length * 8) / 2 ** 32))
  view.setUint32(length - 4, (bytes.length * 8) >>> 0)
  return out
}

function utf8(text: string): Uint8Array {
  const out: number[] = []
  for (const character of text.toWellFormed()) {
    const c = character.codePointAt(0)!
    if (c < 0x80) out.push(c)
    else if (c < 0x800) out.push(0xc0 | (c >> 6), 0x80 | (c & 63))
    else if (c < 0x10000) out.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63))
    else out.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63))
  }
  return Uint8Array.from(out)
}

// Fractional parts of the cube roots of the first 64 primes.
function roundConstants(): Uint32Array {
  const constants: number[] = []
  for (let n = 2; constants.length < 64; n++) {
    let prime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false
    if (prime) constants.push(((Math.cbrt(n) % 1) * 2 ** 32) >>> 0)
  }
  return Uint32Array.from(constants)
}
