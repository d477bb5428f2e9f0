/** The same numbers with room for as many again. */
export function widen(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(array.length * 2)
  wider.set(array)
  return wider
}
