/**
 * Numbers for words, from 0 in order of first occurrence. Words are spelt letter by letter (`push`), so that a text is
 * looked up without creating a string for each word.
 */
export interface WordTable {
  /** Adds a UTF-16 unit to the current word. */
  push(unit: number): void
  /** Returns the number of the current word and starts the next one. */
  take(): number
  readonly size: number
  /** Total number of UTF-16 units in all words. */
  readonly units: number
  clear(): void
}

/** `added` receives every new word, in order of its number. */
export function openWordTable(added: (word: string) => void): WordTable {
  let word = new Uint16Array(256)
  let length = 0
  let hash = 0
  let size = 0
  let slots = new Int32Array(2048).fill(-1)
  let hashes = new Int32Array(1024)
  let ends = new Uint32Array(1024)
  let units = new Uint16Array(8192)

  const startOf = (entry: number): number => (entry === 0 ? 0 : ends[entry - 1]!)

  function isSpelt(entry: number): boolean {
    const start = startOf(entry)
    if (hashes[entry] !== hash || ends[entry]! - start !== length) return false
    for (let i = 0; i < length; i++) if (units[start + i] !== word[i]) return false
    return true
  }

  function grow(): void {
    if (size === hashes.length) {
      hashes = copyInto(new Int32Array(2 * size), hashes)
      ends = copyInto(new Uint32Array(2 * size), ends)
      slots = new Int32Array(4 * size).fill(-1)
      for (let entry = 0; entry < size; entry++) {
        let slot = hashes[entry]! & (slots.length - 1)
        while (slots[slot]! >= 0) slot = (slot + 1) & (slots.length - 1)
        slots[slot] = entry
      }
    }
    if (startOf(size) + length > units.length) units = copyInto(new Uint16Array(2 * (units.length + length)), units)
  }

  function add(): number {
    grow()
    let slot = hash & (slots.length - 1)
    while (slots[slot]! >= 0) slot = (slot + 1) & (slots.length - 1)
    slots[slot] = size
    hashes[size] = hash
    units.set(word.subarray(0, length), startOf(size))
    ends[size] = startOf(size) + length
    added(toText(word.subarray(0, length)))
    return size++
  }

  return {
    push(unit) {
      if (length === word.length) word = copyInto(new Uint16Array(2 * length), word)
      word[length++] = unit
      hash = Math.imul(hash ^ unit, 0x01000193)
    },
    take() {
      hash ^= hash >>> 15
      const mask = slots.length - 1
      let entry: number
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        entry = slots[slot]!
        if (entry < 0) entry = add()
        else if (!isSpelt(entry)) continue
        break
      }
      length = 0
      hash = 0
      return entry
    },
    get size() {
      return size
    },
    get units() {
      return startOf(size)
    },
    clear() {
      slots.fill(-1)
      size = 0
    },
  }
}

// A function call accepts a limited number of arguments.
const AT_ONCE = 4096

function toText(units: Uint16Array): string {
  let text = ''
  for (let at = 0; at < units.length; at += AT_ONCE) text += String.fromCharCode(...units.subarray(at, at + AT_ONCE))
  return text
}

function copyInto<T extends Int32Array | Uint32Array | Uint16Array>(larger: T, from: T): T {
  larger.set(from)
  return larger
}
