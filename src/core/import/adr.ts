import type { Confidence, RejectedAlternative } from '../decision/decision.ts'
import { strip } from '../text.ts'
import { dateIn, dateInName } from './adr-date.ts'
import { readMetadata, type Metadata } from './adr-metadata.ts'
import { cleanTitle, isIndexName, isTemplateName, isTemplateTitle, numberInName, numberInTitle, stemOf, titleFromName, type AdrNumber } from './adr-name.ts'
import { readOptions } from './adr-options.ts'
import { refsIn, type AdrRef } from './adr-ref.ts'
import { looksLikeDecision, outline, type Outline, type Section } from './adr-sections.ts'
import { isPlainAcceptance, readStatus, relationLines, relationsIn, type AdrStatus } from './adr-status.ts'
import { plainRationale } from './fit.ts'
import { normalizeMarkdown, plainText, shiftHeadings } from './markdown.ts'

/** What an ADR says, before it gets a number and a place among the others. */
export interface Adr {
  readonly title: string
  /** Its own number, from the file name or the heading. */
  readonly number: AdrNumber | undefined
  readonly rationale: string
  readonly status: AdrStatus
  /** Undefined when it does not say one. */
  readonly date: string | undefined
  readonly confidence: Confidence
  readonly rejected: readonly RejectedAlternative[]
  readonly supersedes: readonly AdrRef[]
  readonly supersededBy: readonly AdrRef[]
  readonly partly: readonly string[]
  readonly links: readonly AdrRef[]
  /** Deciders, tags and the like: for the journal, not for the file. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export type AdrReading = { readonly kind: 'decision'; readonly adr: Adr } | { readonly kind: 'other'; readonly reason: string }

/** Reads an ADR in the forms of Nygard and MADR 2 to 4 and what lies between; says why when a file is none. */
export function readAdr(source: string, filename: string): AdrReading {
  const stem = stemOf(filename)
  if (isTemplateName(stem)) return other('it is a template')
  if (source.includes('\u0000')) return other('it is not a text file')
  const metadata = readMetadata(normalizeMarkdown(source))
  const page = outline(metadata.body)
  const heading = readHeading(page, metadata)
  const status = readStatus(statusText(page, metadata))
  if (!looksLikeDecision(page.sections, status.kind !== 'none', isIndexName(stem))) {
    return other(strip(metadata.body) === '' ? 'it is empty' : 'it has no section that says a decision; it looks like an index or an introduction')
  }
  const { rejected, kept } = readOptions(page.sections)
  const rationale = composeRationale(page, kept, status)
  if (rationale === '') return other('its sections are empty')
  if (heading === PLACEHOLDER && isPlaceholder(textOf(page, 'decision') ?? rationale)) return other('it is a template: its title and its decision are placeholders')
  const number = numberInName(stem) ?? numberInTitle(plainText(heading))
  const lines = [...status.text === '' ? [] : statusText(page, metadata).split('\n'), ...metadata.relations, ...relationLines(metadata.body)]
  return {
    kind: 'decision',
    adr: {
      title: cleanTitle(heading, number) || titleFromName(stem),
      number,
      rationale,
      status,
      date: readDate(page, metadata, stem),
      confidence: status.kind === 'accepted' ? 'high' : 'medium',
      rejected,
      ...relationsIn(lines),
      links: refsIn(metadata.body),
      metadata: metadata.rest,
    },
  }
}

const PLACEHOLDER = ''

/** The title as the file says it, empty where it has none or left the template's. */
function readHeading(page: Outline, metadata: Metadata): string {
  const heading = page.title ?? metadata.title ?? ''
  return isTemplateTitle(plainText(heading)) ? PLACEHOLDER : heading
}

const isPlaceholder = (text: string): boolean => /^[[{<][^\n]*[\]}>]\.?$/m.test(plainText(text).slice(0, 400)) || /^\W*$/.test(text)

const other = (reason: string): AdrReading => ({ kind: 'other', reason })

const textOf = (page: Outline, kind: Section['kind']): string | undefined => page.sections.find((s) => s.kind === kind && s.text !== '')?.text

const statusText = (page: Outline, metadata: Metadata): string => textOf(page, 'status') ?? metadata.status ?? ''

function readDate(page: Outline, metadata: Metadata, stem: string): string | undefined {
  const said = [metadata.dateLine, textOf(page, 'date'), metadata.date].map((text) => dateIn(text ?? '')).find((date) => date !== undefined)
  if (said !== undefined) return said
  const changes = (textOf(page, 'changelog') ?? '').split('\n').flatMap((line) => dateIn(line) ?? [])
  return changes.sort()[0] ?? dateInName(stem)
}

/** Context and decision as they are, then every other section under its own heading, so that nothing the source says is lost. */
function composeRationale(page: Outline, options: readonly Section[], status: AdrStatus): string {
  const leading = new Set(['context', 'decision'])
  const handled = new Set(['status', 'date', 'options', 'alternatives', 'rejected', 'arguments', ...leading])
  const lead = [...leading].flatMap((kind) => page.sections.filter((s) => s.kind === kind).map(underNoHeading))
  const rest = page.sections.flatMap((s) => (handled.has(s.kind) ? options.filter((o) => o.heading === s.heading && o.level === s.level) : [s]))
  const statusMore = [status.kind === 'accepted' && !isPlainAcceptance(status.text) ? status.text : '', status.more].filter(Boolean).join('\n\n')
  return plainRationale([page.preamble, ...lead, ...rest.map(underHeading), statusMore && `### Status\n\n${statusMore}`])
}

/** A heading that says more than "Decision" is part of the text. */
function underNoHeading(section: Section): string {
  const saysMore = /^decision.*[:–—-]\s*\S/i.test(plainText(section.heading))
  return saysMore ? underHeading(section) : shiftHeadings(section.text, 2 - section.level)
}

const underHeading = (section: Section): string => (section.text === '' ? '' : `### ${section.heading}\n\n${shiftHeadings(section.text, 3 - section.level)}`)
