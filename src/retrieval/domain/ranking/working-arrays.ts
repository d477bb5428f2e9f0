/** Arrays for the numbers of one ranking, filled with zeros. */
export interface WorkingArrays {
  floats(size: number): Float32Array
  integers(size: number): Uint32Array
}

export const newArrays: WorkingArrays = {
  floats: (size) => new Float32Array(size),
  integers: (size) => new Uint32Array(size),
}

/**
 * Arrays that are reused by the next ranking, after `begin`: new ones, some megabytes per question in a large index,
 * would stay in memory until collected. The result of a ranking must not refer to one.
 */
export function reusedArrays(): WorkingArrays & { begin(): void } {
  const held: ArrayBuffer[] = []
  let next = 0
  function take(size: number): ArrayBuffer {
    const at = next++
    const bytes = size * 4
    // Not reused if it is much too large: the index may have shrunk.
    if (held[at] === undefined || held[at].byteLength < bytes || held[at].byteLength > 2 * bytes)
      held[at] = new ArrayBuffer(bytes)
    else new Uint8Array(held[at], 0, bytes).fill(0)
    return held[at]
  }
  return {
    begin: () => void (next = 0),
    floats: (size) => new Float32Array(take(size), 0, size),
    integers: (size) => new Uint32Array(take(size), 0, size),
  }
}
