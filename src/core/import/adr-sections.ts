import { headingLines, plainText, splitBlocks, type Block } from './markdown.ts'

export type SectionKind =
  | 'status'
  | 'date'
  | 'context'
  | 'decision'
  | 'options'
  | 'alternatives'
  | 'rejected'
  | 'arguments'
  | 'consequences'
  | 'changelog'
  | 'other'

export interface Section extends Block {
  readonly kind: SectionKind
}

export interface Outline {
  /** The heading that names the document; undefined when its first heading is a section already. */
  readonly title: string | undefined
  /** Between the title and the first section. */
  readonly preamble: string
  readonly sections: readonly Section[]
}

const KINDS: readonly (readonly [SectionKind, RegExp])[] = [
  ['status', /^status$/],
  ['date', /^date$/],
  ['context', /^(?:context|background|motivation|issue|problem|(?:context and )?problem(?: statement| description)?)$/],
  [
    'decision',
    /^(?:the |our )?(?:decisions?|decision outcomes?|outcome|resolution|(?:proposed |chosen )?solution|proposition|proposal)$/,
  ],
  ['decision', /^decision(?: outcome)?(?: \d+)?\s*[:–—-]\s*\S/],
  ['options', /^(?:considered (?:options|alternatives)|options(?: considered)?)$/],
  ['alternatives', /^(?:alternatives?(?: approaches| solutions| options)?(?: considered)?)$/],
  ['rejected', /^(?:rejected|discarded)(?: alternatives| options| approaches)?$/],
  ['arguments', /^pros and cons(?: of (?:the|each) (?:considered )?options?)?$/],
  ['consequences', /^(?:positive |negative )?consequences$/],
  ['changelog', /^(?:changelog|change log|revision history|history)$/],
]
const STRUCTURE: ReadonlySet<SectionKind> = new Set([
  'status',
  'context',
  'decision',
  'options',
  'alternatives',
  'rejected',
  'consequences',
])

function kindOfHeading(heading: string): SectionKind {
  const name = plainText(heading)
    .toLowerCase()
    .replace(/^[0-9]+[.)]\s+/, '')
    .replace(/\s*:$/, '')
  return KINDS.find(([, names]) => names.test(name))?.[0] ?? 'other'
}

/** Splits at the level where the sections of an ADR stand: the shallowest of the headings known as such. */
export function outline(text: string): Outline {
  const headings = headingLines(text)
  const isSoleTop = headings[0]?.level === 1 && headings.filter((h) => h.level === 1).length === 1
  const levels = headings
    .slice(isSoleTop ? 1 : 0)
    .filter((h) => STRUCTURE.has(kindOfHeading(h.heading)))
    .map((h) => h.level)
  const level = levels.length === 0 ? 2 : Math.min(...levels)
  const { lead, blocks } = splitBlocks(text, level)
  const sections = blocks.map((block) => ({ ...block, kind: kindOfHeading(block.heading) }))
  const [first] = sections
  // "Decision: use Go" alone above sections is a title, whatever its words.
  const isTop = isSoleTop && levels.length > 0
  const isTitle =
    isTop || (first?.kind === 'other' && (first.level === 1 || first.level < level || numbered(first.heading)))
  if (first === undefined || !isTitle) return { title: undefined, preamble: lead, sections }
  return {
    title: first.heading,
    preamble: [lead, first.text].filter(Boolean).join('\n\n'),
    sections: sections.slice(1),
  }
}

const numbered = (heading: string): boolean => /^\[?(?:m?adr|dr)\b|^[0-9]{1,5}[.:)]/i.test(heading)

/** Whether the headings are those of a decision; an index or an introduction has none of them. */
export function looksLikeDecision(sections: readonly Section[], hasStatus: boolean, strict: boolean): boolean {
  const kinds = new Set(sections.map((s) => s.kind).filter((kind) => STRUCTURE.has(kind)))
  if (hasStatus) kinds.add('status')
  const named = sections.some((s) => s.kind === 'decision' && /^(?:the |our )?decision/i.test(plainText(s.heading)))
  return named || (!strict && kinds.size >= 2)
}
