import { DATA_NOTE, trustWords, type Label } from './trust.ts'
import { visible } from './visible.ts'

/**
 * Tag around everything Ken puts into an agent's context, so that it is never harvested as a person's words. The name
 * may have a mark: `<ken-context-7f2x …>` only ends with `</ken-context-7f2x>`.
 */
export const INJECTED_TAG = 'ken-context'

/**
 * Wraps text of the record, a source or a session for an agent, between two tags that state its origin. The tags have a
 * mark that the text does not contain, so nothing inside can end the envelope or begin another one.
 */
export function enveloped(text: string, label: Label, facts: Readonly<Record<string, string>> = {}): string {
  const inside = visible(text).trim().replaceAll(LIKE_OURS, '‹$1')
  const tag = `${INJECTED_TAG}-${markFor(inside)}`
  const named = Object.entries({ origin: label.origin, ...facts, trust: trustWords(label.trust), note: DATA_NOTE })
  return `<${tag} ${named.map(([name, value]) => `${name}="${attribute(value)}"`).join(' ')}>\n${inside}\n</${tag}>`
}

/** Our tags in the text, and anything easily mistaken for one. The limits bound the time for a text full of spaces. */
const LIKE_OURS = new RegExp(
  String.raw`[<＜﹤]\s{0,9}([\/⁄∕／]?)\s{0,9}(?=${INJECTED_TAG.replace('-', String.raw`[-_\s‐-―−]{0,9}`)})`,
  'gi',
)

const SHORTEST_MARK = 4

/**
 * Mark that the text does not contain: a digit, then digits and letters. Deterministic, so that a file written twice
 * does not change.
 */
function markFor(text: string): string {
  for (let seed = 0, length = SHORTEST_MARK; ; seed++) {
    // Some texts contain short words of every kind; a longer mark is soon found that they do not contain.
    if (seed > 0 && seed % 8 === 0) length++
    const value = hash(text, seed)
    const mark = `${value % 10}${value
      .toString(36)
      .padStart(7, '0')
      .repeat(Math.ceil(length / 7))
      .slice(1 - length)}`
    if (!text.includes(mark)) return mark
  }
}

/**
 * FNV-1a over a few hundred characters. The mark may be guessable, because a mark that the text contains is not used.
 */
function hash(text: string, seed: number): number {
  const step = 1 + (text.length >> 8)
  let value = 0x811c9dc5 ^ seed ^ text.length
  for (let i = 0; i < text.length; i += step) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

const attribute = (text: string): string => visible(text.replaceAll(/["<>&\s]/g, ' ')).trim()
