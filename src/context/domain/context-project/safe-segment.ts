import { sha256 } from '../../../kernel/domain/sha256.ts'

/**
 * A name as one part of a path, on every file system. Letters of any script stay; unsafe characters become `_`, and
 * then a hash of the whole name distinguishes it from others with the same result.
 */
export function safeSegment(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}_ .=-]/gu, '_')
    .replaceAll(/^[ .]+|[ .]+$/g, '_')
  const short = cutToBytes(plain, LONGEST)
  return short === name && !RESERVED.test(short) && short !== '' ? short : `${short || '_'}~${tail(name)}`
}

/** Paths for a set of items; paths that a file system may not distinguish get a suffix each. */
export function distinctPaths(
  wanted: readonly { readonly id: string; readonly path: string }[],
): ReadonlyMap<string, string> {
  const groups = Map.groupBy(wanted, ({ path }) => path.toLowerCase().normalize('NFC'))
  const paths = wanted.map(
    ({ id, path }) =>
      [id, groups.get(path.toLowerCase().normalize('NFC'))!.length > 1 ? withEnding(path, tail(id)) : path] as const,
  )
  return new Map(paths)
}

/** A title as a file name: lower case, words joined by dashes. */
export function titleSegment(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return cutToBytes(words, LONGEST) || 'untitled'
}

function withEnding(path: string, ending: string): string {
  const dot = /\.[a-z0-9]{1,10}$/i.exec(path)?.index ?? path.length
  return `${path.slice(0, dot)}~${ending}${path.slice(dot)}`
}

// With `table=`, the hash and a temporary suffix, the name stays under the 255 bytes of most file systems.
const LONGEST = 120
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

const tail = (name: string): string => sha256(name).slice(0, 8)

function cutToBytes(text: string, most: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    const code = character.codePointAt(0)!
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (bytes > most) return text.slice(0, end)
    end += character.length
  }
  return text
}
