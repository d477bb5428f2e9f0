import type { Versions } from './merge-questions.ts'

/** True for a text committed with unresolved git conflict markers. */
export const hasConflictMarkers = (text: string): boolean => /^<{7} .*$/m.test(text) && /^>{7} .*$/m.test(text)

/** The text of both sides in sequence. */
export const withoutMarkers = (text: string): string =>
  hasConflictMarkers(text)
    ? text
        .split('\n')
        .filter((line) => !MARKER.test(line))
        .join('\n')
    : text

/** The versions before git's merge: text git merged is in all of them. Only some git settings show the base. */
export function conflictVersions(text: string): Versions | undefined {
  const sides = { ours: [] as string[], base: [] as string[], theirs: [] as string[] }
  let side: keyof typeof sides | undefined
  for (const line of text.split('\n')) {
    const next = sideAfter(line, side)
    if (next === 'broken') return undefined
    if (next !== side) side = next
    else for (const name of side === undefined ? (['ours', 'base', 'theirs'] as const) : [side]) sides[name].push(line)
  }
  if (side !== undefined) return undefined
  return { ours: sides.ours.join('\n'), base: sides.base.join('\n'), theirs: sides.theirs.join('\n') }
}

const MARKER = /^(?:<{7} .*|\|{7}(?: .*)?|={7}|>{7} .*)$/

type Side = 'ours' | 'base' | 'theirs' | undefined

/** The side of the next line; unchanged if the line is not a marker. */
function sideAfter(line: string, side: Side): Side | 'broken' {
  if (/^<{7} /.test(line)) return side === undefined ? 'ours' : 'broken'
  if (side === 'ours' && /^\|{7}(?: |$)/.test(line)) return 'base'
  if ((side === 'ours' || side === 'base') && line === '=======') return 'theirs'
  if (/^>{7} /.test(line)) return side === 'theirs' ? undefined : 'broken'
  return side
}
