import { type DateKind, dateIn, dateInName, labelledDates } from '../../../kernel/domain/adr/adr-date.ts'
import {
  type AdrNumber,
  folderOf,
  isIndexName,
  isTemplateName,
  isTemplateTitle,
  numberInName,
  numberInTitle,
  stemOf,
  titleFromName,
  SERIES,
} from '../../../kernel/domain/adr/adr-name.ts'
import { type AdrRef, distinctRefs, refsIn } from '../../../kernel/domain/adr/adr-ref.ts'
import {
  type AdrStatus,
  type Relations,
  isPlainAcceptance,
  readStatus,
  relationsIn,
  relationsInText,
} from '../../../kernel/domain/adr/adr-status.ts'
import { strip, ellipsis } from '../../../kernel/domain/text.ts'
import {
  tooLargeToImport,
  plainLines,
  plainRationale,
  plainText,
  shiftHeadings,
} from '../../../kernel/domain/text/markdown.ts'
import type { Confidence, Decision, RejectedAlternative } from '../decision/decision.ts'
import { LIMITS } from '../decision/screening.ts'
import { type Metadata, readMetadata } from './adr-metadata.ts'
import { type OptionsReading, readOptions } from './adr-options.ts'
import { rejectedInProse } from './adr-prose.ts'
import { type Outline, type Section, looksLikeDecision, nestedSections, outline } from './adr-sections.ts'
import { readExported, withoutFacts } from './exported-adr.ts'
import { extractNygard } from './nygard.ts'

/** Content of an ADR, before it gets a number and a place among the others. */
export interface Adr {
  readonly title: string
  /** Number in the file name or the heading. */
  readonly number: AdrNumber | undefined
  readonly rationale: string
  readonly status: AdrStatus
  /** Undefined if not stated. */
  readonly date: string | undefined
  readonly confidence: Confidence
  readonly rejected: readonly RejectedAlternative[]
  readonly supersedes: readonly AdrRef[]
  readonly supersededBy: readonly AdrRef[]
  /** Lines that state a partial supersession. */
  readonly partly: readonly string[]
  readonly links: readonly AdrRef[]
  /** Deciders, tags and the like: for the journal, not for the file. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The decision that the file was exported from, if the file is unchanged since. */
  readonly exact?: Decision
}

export type AdrReading =
  | { readonly kind: 'decision'; readonly adr: Adr }
  | { readonly kind: 'other'; readonly reason: string }

/** Reads an ADR in the form of Nygard, of MADR 2 to 4, or a mix; returns the reason if the text is not an ADR. */
export function readAdr(source: string, filename: string): AdrReading {
  const stem = stemOf(filename)
  if (isTemplateName(stem)) return other('it is a template')
  if (source.includes('\u0000')) return other('it is not a text file')
  const excess = tooLargeToImport(source)
  if (excess !== undefined) return other(excess)
  const text = plainLines(source)
  const exact = readExact(text)
  if (exact !== undefined) return { kind: 'decision', adr: exact }
  const metadata = readMetadata(withoutFacts(text))
  const page = outline(metadata.body)
  const said = statusText(page, metadata)
  if (strip(metadata.body) === '') return other('it is empty')
  if (!looksLikeDecision(page.sections, said !== '', isIndexName(stem)))
    return other('it has no section that states a decision; it looks like an index or an introduction')

  const heading = readHeading(page, metadata)
  const number = numberInName(stem) ?? numberInTitle(plainText(heading))
  const status = readStatus(said)
  const title = cleanTitle(heading, number) || titleFromName(stem)
  const weighed = [...page.sections, ...nestedSections(page.sections)]
  const options = readOptions(weighed, title)
  const rationale = composeRationale(page, options.leftover, status)
  if (rationale === '') return other('its sections are empty')
  if (heading === '' && isPlaceholder(textOf(page, 'decision') ?? rationale))
    return other('it is a template: its title and its decision are placeholders')
  const adr: Adr = {
    title,
    number,
    rationale,
    status,
    date: readDate(page, metadata, dateInName(stem) ?? dateInName(stemOf(`${folderOf(filename)}.md`))),
    confidence: status.kind === 'accepted' ? 'high' : 'medium',
    rejected: rejectedOf(title, metadata.body, { options, weighed }),
    ...relationsOf(said, metadata),
    links: refsIn(metadata.body),
    metadata: metadata.rest,
  }
  return { kind: 'decision', adr }
}

function readExact(text: string): Adr | undefined {
  const exported = readExported(text)
  if (exported === undefined) return undefined
  const { decision, supersedes, supersededBy } = exported
  return {
    title: decision.title,
    number: { series: '', number: decision.num },
    rationale: decision.rationale,
    status: { kind: decision.status === 'active' ? 'accepted' : 'superseded', text: '', more: '' },
    date: decision.date,
    confidence: decision.confidence,
    rejected: decision.rejected,
    supersedes,
    supersededBy,
    partly: [],
    links: [...supersedes, ...supersededBy],
    metadata: {},
    exact: decision,
  }
}

const other = (reason: string): AdrReading => ({ kind: 'other', reason })

/** The title as written in the file; empty if there is none, or it is still the template's. */
function readHeading(page: Outline, metadata: Metadata): string {
  const heading = page.title ?? metadata.title ?? ''
  return isTemplateTitle(plainText(heading)) ? '' : heading
}

const isPlaceholder = (text: string): boolean => /^\W*$/.test(text) || /^[[{<].*[\]}>]\.?$/.test(plainText(text))

const textOf = (page: Outline, kind: Section['kind']): string | undefined =>
  page.sections.find((s) => s.kind === kind && s.text !== '')?.text

/** Options not chosen, or else rejections in the consequences; plus those rejected in sentences. */
function rejectedOf(
  title: string,
  body: string,
  { options, weighed }: { options: OptionsReading; weighed: readonly Section[] },
): RejectedAlternative[] {
  const listed = options.rejected.length > 0 ? options.rejected : rejectedInPassing(body)
  const known = [...listed.map(({ name }) => name), ...options.chosen]
  return [...listed, ...rejectedInProse(title, weighed, known)]
}

/** Rejections mentioned in the consequences; only a bullet that names an alternative and its rejection counts. */
const rejectedInPassing = (text: string): RejectedAlternative[] =>
  (extractNygard(text).rejected ?? [])
    .filter(
      ({ alternative }) =>
        /\b(?:alternative|option)s?\b/i.test(alternative) && /\b(?:rejected|not chosen|ruled out)\b/i.test(alternative),
    )
    .map(({ alternative, reason }) => ({ name: plainText(alternative), reason }))

const statusText = (page: Outline, metadata: Metadata): string =>
  [textOf(page, 'status') ?? metadata.status ?? '', ...metadata.replacedBy].filter(Boolean).join('\n')

function relationsOf(status: string, metadata: Metadata): Relations {
  const stated = relationsIn([...status.split('\n'), ...metadata.relations])
  const written = relationsInText(metadata.body)
  return {
    supersedes: distinctRefs([...stated.supersedes, ...written.supersedes]),
    supersededBy: distinctRefs([...stated.supersededBy, ...written.supersededBy]),
    partly: [...new Set([...stated.partly, ...written.partly])],
  }
}

/** Uses the labelled date of the decision, then its start, then its history, and finally its changes. */
function readDate(page: Outline, metadata: Metadata, named: string | undefined): string | undefined {
  const own = [metadata.dates, labelledDates((textOf(page, 'status') ?? '').split('\n')), sectionDates(page)]
  const said = [...own, metadata.frontmatterDates]
  const of = (kind: DateKind): string | undefined =>
    said.map((dates) => dates.get(kind)).find((date) => date !== undefined)
  const changes = (textOf(page, 'changelog') ?? '').split('\n').flatMap((line) => dateIn(line) ?? [])
  return of('decided') ?? of('begun') ?? changes.sort()[0] ?? named ?? of('changed')
}

/** A section that is a date: `## Date`, `## Date: 2025-03-20`. */
const sectionDates = (page: Outline): ReadonlyMap<DateKind, string> =>
  labelledDates(
    page.sections
      .filter((s) => s.kind === 'date' || s.text === '')
      .map((s) => (s.kind === 'date' ? `${s.heading}: ${plainText(s.text)}` : s.heading)),
  )

const TOLD_ELSEWHERE: ReadonlySet<Section['kind']> = new Set(['status', 'date', 'decision'])

/**
 * The decision first, because a preview shows it, then every other section under its own heading, so that nothing in
 * the source is lost.
 */
function composeRationale(page: Outline, leftover: ReadonlyMap<Section, string>, status: AdrStatus): string {
  const decision = page.sections.filter((s) => s.kind === 'decision' && s.text !== '')
  const rest = page.sections
    .filter((s) => !TOLD_ELSEWHERE.has(s.kind))
    .map((s) => ({ ...s, text: leftover.get(s) ?? s.text }))
  const unsaid = status.kind === 'accepted' && !isPlainAcceptance(status.text) ? status.text : ''
  const more = [unsaid, status.more].filter(Boolean).join('\n\n')
  return plainRationale([
    ...decision.map(underNoHeading),
    page.preamble,
    ...rest.map((s) => (decision.length === 0 && s.kind === 'context' ? underNoHeading(s) : underHeading(s))),
    more && `### Status\n\n${more}`,
  ])
}

/** Text without its heading, unless the heading contains more than "Decision". */
function underNoHeading(section: Section): string {
  const saysMore = /^decision.*[:–—-]\s*\S/i.test(plainText(section.heading))
  return saysMore ? underHeading(section) : shiftHeadings(section.text, 2 - section.level)
}

const underHeading = (section: Section): string =>
  section.text === '' ? '' : `### ${section.heading}\n\n${shiftHeadings(section.text, 3 - section.level)}`

/** The title without number and series, in one line. Any letters before the file's number count as its series. */
function cleanTitle(heading: string, own?: AdrNumber): string {
  const plain = plainText(heading)
  const ownLabel = own === undefined ? '(?!)' : `[a-z]{2,5}[-_ #]?0*${own.number}`
  const bare = plain
    .replace(new RegExp(`^\\[?${ownLabel}\\]?\\s*[.:)–—-]+\\s*`, 'i'), '')
    .replace(new RegExp(`^\\[?(?:${SERIES})[-_ #]*[0-9]+(?:\\]|\\s*[.:)–—-]|\\s)\\s*`, 'i'), '')
    .replace(new RegExp(`^(?:${SERIES})\\s*[.:–—-]+\\s*`, 'i'), '')
    .replace(/^(?:\[?[0-9]{1,5}\]?\s*[.:)–—-]+|[0-9]{3,5})\s+/, '')
  return ellipsis(strip(bare) || plain, LIMITS.title)
}
