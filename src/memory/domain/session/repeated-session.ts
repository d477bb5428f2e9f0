import { TURN } from '../../../retrieval/domain/chunking/chunk-conversation.ts'
import { folded } from './exchange-snippet.ts'

// Share of the turns of the shorter session. A fork contains all of its parent; quoted code alone makes no turns equal.
const SHARED = 0.8
const LONGEST_READ = 400_000

/**
 * For each session file, best first, the index of the first file with nearly the same turns: its own index if no
 * earlier file has them.
 */
export function originals(files: readonly string[]): readonly number[] {
  const said = files.map(turnsIn)
  const places: number[] = []
  for (const [at, own] of said.entries()) {
    const before = said.slice(0, at).findIndex((other, place) => places[place] === place && isRepeat(own, other))
    places.push(before < 0 ? at : before)
  }
  return places
}

function isRepeat(own: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [fewer, more] = own.size < other.size ? [own, other] : [other, own]
  if (fewer.size < 2) return false
  let shared = 0
  for (const turn of fewer) if (more.has(turn)) shared++
  return shared >= SHARED * fewer.size
}

/** The turns of a session, without times and other facts, which differ between a session and its fork. */
function turnsIn(file: string): ReadonlySet<string> {
  const turns: string[][] = []
  for (const line of file.slice(0, LONGEST_READ).split('\n')) {
    const speaker = TURN.exec(line)?.[1]
    if (speaker !== undefined) turns.push([speaker])
    else if (!line.startsWith('> ') || line.startsWith('> tool ')) turns.at(-1)?.push(line)
  }
  return new Set(turns.map((lines) => folded(lines.join('\n'))))
}
