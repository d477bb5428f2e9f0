import { tokenWeight } from '../../../kernel/domain/text/estimate-tokens.ts'
import { BRIEF_KINDS, type BriefHead, type BriefKind, type BriefUnit } from './brief-unit.ts'

export const RULES_HEADING = '## How the user wants things'

const HEADINGS: Readonly<Record<BriefKind, string>> = {
  rule: RULES_HEADING,
  state: '## State',
  question: '## Open questions',
  decision: '## Decisions',
  stack: '## Stack',
  note: '## Notes',
  document: '## Documents',
  table: '## Tables',
  session: '## Sessions (› user, ‹ agent)',
}

/** Cost of a line, including its line break. */
export const lineCost = (line: string): number => tokenWeight(line) + 0.25
export const headingCost = (kind: BriefKind): number => lineCost(HEADINGS[kind])

/**
 * Source and trust come first, and a text is on one line: whatever it contains, it cannot be mistaken for a separate
 * line, for another source or for more trust.
 */
export const headLine = ({ source, trust, text }: BriefHead): string => `${source} [${trust}] ${text}`.trimEnd()

export const unitLine = ({ head, source, at, trust, text }: BriefUnit): string =>
  head === undefined ? `- ${source} [${trust}] ${text}` : `${at === '' ? '-' : at} ${text}`

/** The chosen lines as one text: by kind, and within a kind in the given order. */
export function layOutBrief(chosen: readonly BriefUnit[]): string {
  const lines: string[] = []
  for (const kind of BRIEF_KINDS) {
    const own = chosen.filter((unit) => unit.kind === kind)
    if (own.length > 0) lines.push(HEADINGS[kind])
    let head: BriefHead | undefined
    for (const unit of own) {
      if (unit.head !== undefined && unit.head !== head) lines.push(headLine(unit.head))
      head = unit.head
      if (unit.text !== '') lines.push(unitLine(unit))
    }
  }
  return lines.join('\n')
}
