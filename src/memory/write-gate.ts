import { stopped } from '../kernel/domain/stop.ts'

/** Shared by a thread and its owner, who may end the thread at any moment but while it writes. */
export type WriteGate = Int32Array<SharedArrayBuffer>

const [WRITING, CLOSED] = [1, 2]

export const openGate = (): WriteGate => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

/** Closes the gate, so that no further write begins; returns whether one is under way. */
export const closeGate = (gate: WriteGate): boolean => (Atomics.or(gate, 0, CLOSED) & WRITING) !== 0

/** Throws `stopped` if the gate is closed. */
export async function throughGate<T>(gate: WriteGate, write: () => Promise<T>): Promise<T> {
  if ((Atomics.or(gate, 0, WRITING) & CLOSED) !== 0) throw stopped()
  try {
    return await write()
  } finally {
    Atomics.and(gate, 0, ~WRITING)
  }
}
