import { type Decision, FRONTMATTER_KEYS } from './decision.ts'
import { formatFaithfully, frontmatterField } from './format.ts'
import { fieldPlaces, foreignLines } from './frontmatter.ts'
import { parseDecision, withRationale } from './parse.ts'

export type DecisionChange = Partial<Omit<Decision, 'num' | 'body' | 'content'>>

/**
 * The text of a decision file after a change. Only changed lines have different bytes: keys of other programs,
 * comments, spelled-out nulls and text outside the known sections are kept. A file that cannot be changed that way is
 * rewritten, with the keys of other programs at the end of its frontmatter.
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
    // A list takes several lines, and a removed key has none.
    if (Array.isArray(next[key]) || line === '') return { at: place.from, to: place.to, text: line }
    return { at: place.valueFrom, to: place.valueTo, text: spaced(old.content, place.valueFrom, line) }
  })
  // Applied from the end, so that positions stay valid; if two edits have the same position, the later key's edit is
  // applied first.
  return edits
    .toReversed()
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, to, text: by }) => text.slice(0, at) + by + text.slice(to ?? at), old.content)
}

/** Position after the nearest preceding key; lines that another program put there stay above. */
function insertionPoint(
  key: (typeof FRONTMATTER_KEYS)[number],
  places: readonly { readonly key: string; readonly to: number }[],
  old: Decision,
): number {
  const before = FRONTMATTER_KEYS.slice(0, FRONTMATTER_KEYS.indexOf(key)) as readonly string[]
  const nearest = places.findLast((place) => before.includes(place.key))
  return nearest?.to ?? old.content.length - old.body.length - 4
}

/** The value of a line, with a leading space if the key has no value yet. */
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
