import { headingLines, plainText, splitBlocks, type Block } from '../../../kernel/domain/text/markdown.ts'

export type SectionKind =
  | 'status'
  | 'date'
  | 'context'
  | 'decision'
  | 'options'
  /** One option, under its own heading among the sections. */
  | 'option'
  /** Parses a list that is introduced by a sentence as options: "We considered:". */
  | 'considered'
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
  /** The heading that names the document; undefined if its first heading is already a section. */
  readonly title: string | undefined
  /** Text between the title and the first section. */
  readonly preamble: string
  readonly sections: readonly Section[]
}

const WEIGHED = 'considered|evaluated|explored|discussed|investigated|reviewed|analy[sz]ed|compared'
const OPTIONS = 'options|alternatives|solutions|approaches|candidates'
const KINDS: readonly (readonly [SectionKind, RegExp])[] = [
  ['status', /^status$/],
  ['date', /^(?:decision |creation )?date(?: (?:of decision|decided|accepted|started|created|proposed))?$/],
  ['context', /^(?:context|background|motivation|issue|problem|(?:context and )?problem(?: statement| description)?)$/],
  [
    'decision',
    /^(?:the |our )?(?:final )?(?:decisions?|decision outcomes?|outcome|resolution|(?:proposed |chosen |selected )?solution|(?:chosen|selected) (?:option|approach|alternative)(?: approach)?|proposition|proposal|conclusions?)$/,
  ],
  ['decision', /^decision(?: outcome)?(?: \d+)?\s*[:–—-]\s*\S/],
  ['rejected', /^(?:rejected|discarded|dismissed)(?: alternatives| options| approaches| solutions| ideas)?$/],
  ['rejected', /^(?:alternatives|options|approaches)(?: that were| we)? (?:rejected|discarded|dismissed|not chosen)$/],
  [
    'alternatives',
    new RegExp(
      `^(?:alternatives?(?: approaches| solutions| options)?|other (?:${OPTIONS}))(?: (?:that )?(?:(?:we(?: have)?|have been|were) )?(?:${WEIGHED}))?$`,
    ),
  ],
  ['alternatives', new RegExp(`^other (?:${WEIGHED}) (?:${OPTIONS})$`)],
  [
    'options',
    new RegExp(
      `^(?:the |our )?(?:(?:${WEIGHED}|possible|potential|available) )?(?:options|alternatives|candidates|(?<=(?:${WEIGHED}|possible|potential|available) )(?:solutions|approaches))(?: (?:${WEIGHED}))?$`,
    ),
  ],
  ['options', new RegExp(`^(?:solutions|approaches) (?:${WEIGHED})$`)],
  ['arguments', /^pros and cons(?: of (?:the|each)(?: considered)? (?:options?|alternatives?))?$/],
  ['option', /^(?:option|alternative|approach|solution) (?:\d{1,2}|[a-z])(?:\b|$)/],
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
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/^[0-9]+[.)]\s+/, '')
    .replace(/(?:\s*\((?:optional|required)\))?[\s:?]*$/, '')
  return KINDS.find(([, names]) => names.test(name))?.[0] ?? 'other'
}

/** Sections that weigh options, nested in the context, the decision, the consequences or an unknown section. */
export const nestedSections = (sections: readonly Section[]): Section[] =>
  sections
    .filter(({ kind }) => kind === 'context' || kind === 'decision' || kind === 'other' || kind === 'consequences')
    .flatMap(({ text }) => [...splitAll(text).filter(({ kind }) => WEIGHS.has(kind)), ...consideredLists(text)])

const INTRODUCES =
  /\b(?:considered|evaluated|explored|discussed|investigated|compared|looked (?:at|into)|(?:options|alternatives|approaches|strategies)(?: \w+){0,6} (?:are|were|include))\b[^.]{0,120}:$/i

const LONGEST_INTRODUCTION = 300
const MOST_LISTS = 10

/** Lists and numbered headings directly after a sentence that calls them options. */
function consideredLists(text: string): Section[] {
  const paragraphs = text.split(/\n{2,}(?=\S|\s*[-*+\d])/)
  const introduces = (paragraph: string): boolean =>
    !/^[#>|`]/.test(paragraph) && INTRODUCES.test(plainText(paragraph.slice(-LONGEST_INTRODUCTION)))
  return paragraphs
    .flatMap((paragraph, i) => (introduces(paragraph) ? [i + 1] : []))
    .slice(0, MOST_LISTS)
    .map((start) => listAt(paragraphs.slice(start)))
    .filter((list) => list !== '')
    .map((list) => ({ heading: '', level: 6, text: list, kind: 'considered' as const }))
}

/** The list items, or the numbered headings with their content, at the start of the paragraphs. */
function listAt(paragraphs: readonly string[]): string {
  const heading = /^(#{2,6}) \d+[.)] /.exec(paragraphs[0] ?? '')?.[1]
  const isOut =
    heading === undefined ? /^(?! {0,3}(?:[-*+]|\d+[.)])\s)/ : new RegExp(`^#{1,${heading.length}} (?!\\d+[.)])`)
  const end = paragraphs.findIndex((paragraph) => isOut.test(paragraph))
  return paragraphs.slice(0, end < 0 ? undefined : end).join('\n\n')
}

const WEIGHS: ReadonlySet<SectionKind> = new Set(['options', 'option', 'alternatives', 'rejected', 'arguments'])

/** Every heading with its content, at any level. */
const splitAll = (text: string): Section[] =>
  splitBlocks(text).blocks.flatMap((block) => {
    const kind = kindOfHeading(block.heading)
    return [{ ...block, kind }, ...(WEIGHS.has(kind) ? [] : splitAll(block.text))]
  })

/** Splits at the level of an ADR's sections: the shallowest of the known headings. */
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
  // "Decision: use Go" as the only heading above sections is a title, whatever its words.
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
