import { codePoints, head, strip } from '../../../kernel/domain/text.ts'
import { listItems } from '../../../kernel/domain/text/markdown.ts'

export const NO_REASON = 'Rejected reason not available in source ADR.'

export interface NygardParts {
  readonly title: string | null
  readonly rationale: string | null
  readonly confidence: 'high' | 'medium'
  readonly rejected: readonly { readonly alternative: string; readonly reason: string }[] | null
  readonly alternatives:
    | readonly { readonly alternative: string; readonly reason: string; readonly offset: number }[]
    | null
}

/**
 * The parts that records of this format have always taken from a plain ADR: sections by their exact names, ignoring
 * code fences. `readAdr` reads more forms; this result must not change, because other tools extract the same parts.
 */
export function extractNygard(text: string): NygardParts {
  const heading = /^#\s+([^\n]+)$/m.exec(text)?.[1] ?? ''
  const rationale = ['Context', 'Decision'].flatMap((name) => section(text, name) ?? []).join('\n\n')
  return {
    title: strip(strip(heading).replace(/^\p{Nd}+[.:\-\s]+/u, '')) || null,
    rationale: rationale || null,
    confidence: /\b(?:accepted|approved)\b/i.test(section(text, 'Status') ?? '') ? 'high' : 'medium',
    rejected: rejections(text),
    alternatives: alternatives(text),
  }
}

const HELD_OPEN = [
  'may become',
  'might become',
  'may later',
  'maybe later',
  'could become',
  'to be decided',
  'tbd',
  'deferred',
  'defer until',
  'revisit later',
  'revisit after',
  'revisit when',
  'revisit once',
  'reconsider later',
  'reconsider once',
  'postpone',
]
const OPENING = 200

/** True for a postponed option, which was not rejected. */
export function isHeldOpen(reason: string): boolean {
  const opening = head(strip(reason).toLowerCase(), OPENING)
  return HELD_OPEN.some((phrase) => opening.includes(phrase))
}

/** The section with that name at level 2, otherwise at level 3; undefined if it is empty. */
function section(text: string, name: string): string | undefined {
  for (const level of [2, 3]) {
    const found = new RegExp(`^#{${level}}\\s+${name}\\s*$`, 'im').exec(text)
    if (found === null) continue
    const rest = text.slice(found.index + found[0].length)
    const end = rest.search(new RegExp(`^#{2,${level}}\\s+`, 'm'))
    return strip(end < 0 ? rest : rest.slice(0, end)) || undefined
  }
  return undefined
}

function rejections(text: string): NygardParts['rejected'] {
  const named = ['Rejected', 'Rejected Alternatives', 'Rejected Options']
    .map((name) => section(text, name))
    .find((found) => found !== undefined)
  const items =
    named === undefined ? listItems(section(text, 'Consequences') ?? '').filter(soundsRejected) : listItems(named)
  return items.length === 0 ? null : items.map((alternative) => ({ alternative, reason: NO_REASON }))
}

const soundsRejected = (item: string): boolean => /reject|not\s+chos|instead\s+of|ruled\s+out|alternative/i.test(item)

function alternatives(text: string): NygardParts['alternatives'] {
  const heading = /^##\s+(?:Alternatives|Options)\s+Considered\s*$/im.exec(text)
  if (heading === null) return null
  const start = heading.index + heading[0].length
  const rest = text.slice(start)
  const end = rest.search(/^##\s+/m)
  const body = end < 0 ? rest : rest.slice(0, end)
  const headings = [...body.matchAll(/^###\s+([^\n]+?)\s*$/gm)]
  const found = headings.map((match, i) => ({
    alternative: strip(match[1]!),
    reason: strip(body.slice(match.index + match[0].length, headings[i + 1]?.index)),
    // Counted in code points, as every offset of this format is.
    offset: codePoints(text.slice(0, start + match.index)),
  }))
  const rejected = found.filter(({ reason }) => reason !== '' && !isHeldOpen(reason))
  return rejected.length === 0 ? null : rejected
}
