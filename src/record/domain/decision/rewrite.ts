import { type Decision, FRONTMATTER_KEYS } from './decision.ts'
import { formatFaithfully, frontmatterField } from './format.ts'
import { fieldPlaces, foreignLines } from './frontmatter.ts'
import { parseDecision, withRationale } from './parse.ts'

export type DecisionChange = Partial<Omit<Decision, 'num' | 'body' | 'content'>>

/**
 * The text of a decision file after a change. Only the lines that say something else are other bytes: keys of other
 * programs, comments, spelled-out nulls and text outside the known sections stay as they are. A file in which the
 * change cannot be made that way is written anew, with the keys of other programs at the end of its frontmatter.
 */
export function rewriteDecision(old: Decision, change: DecisionChange): string {
  const next: Decision = { ...old, ...change }
  const anew = formatFaithfully(next)
  if (old.content === '') return anew
  const edited = editFields(old, next)
  if (edited === undefined) return anew
  const text = edited.slice(0, edited.length - old.body.length) + editBody(old, next)
  return saysTheSame(text, anew, old) && foreignLines(text) === foreignLines(old.content) ? text : anew
}

function editFields(old: Decision, next: Decision): string | undefined {
  const places = fieldPlaces(old.content)
  if (places === undefined) return undefined
  const changed = FRONTMATTER_KEYS.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(next[key]))
  const edits = changed.map((key) => {
    const place = places.find((candidate) => candidate.key === key)
    const line = frontmatterField(key, next[key])
    if (place === undefined) return { at: insertionPoint(key, places, old), to: undefined, text: line }
    // A list takes several lines, and a key that is to go has none.
    if (Array.isArray(next[key]) || line === '') return { at: place.from, to: place.to, text: line }
    return { at: place.valueFrom, to: place.valueTo, text: spaced(old.content, place.valueFrom, line) }
  })
  // From the end, so that places stay true; of two at one place the later key goes in first.
  return edits
    .toReversed()
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, to, text: by }) => text.slice(0, at) + by + text.slice(to ?? at), old.content)
}

/** Behind the nearest of the keys that come before it; what another program put there stays above. */
function insertionPoint(
  key: (typeof FRONTMATTER_KEYS)[number],
  places: readonly { readonly key: string; readonly to: number }[],
  old: Decision,
): number {
  const before = FRONTMATTER_KEYS.slice(0, FRONTMATTER_KEYS.indexOf(key)) as readonly string[]
  const nearest = places.findLast((place) => before.includes(place.key))
  return nearest?.to ?? old.content.length - old.body.length - 4
}

/** The value out of a line; a key without any stands directly behind its colon. */
const spaced = (content: string, at: number, line: string): string =>
  `${content[at - 1] === ':' ? ' ' : ''}${line.slice(line.indexOf(': ') + 2, -1)}`

const editBody = (old: Decision, next: Decision): string =>
  old.rationale === next.rationale ? old.body : withRationale(old.body, next.rationale)

function saysTheSame(text: string, anew: string, old: Decision): boolean {
  const name = `${old.num}.md`
  const facts = (of: string) => JSON.stringify({ ...parseDecision(of, name), body: '', content: '' })
  try {
    return facts(text) === facts(anew)
  } catch {
    return false
  }
}
