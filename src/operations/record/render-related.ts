import { label } from '../../core/decision/decision.ts'
import { trustMark } from '../../core/trust/trust.ts'
import { dated } from '../../core/view/age.ts'
import { wordMarker } from '../../core/view/mark-words.ts'
import type { Tone } from '../../core/view/styled.ts'
import { PLAIN, type View } from '../../core/view/view.ts'
import { wrapWidth } from '../../core/view/width.ts'
import { type RelatedDecision, foundBy } from '../../record/related-decision.ts'

const INDENT = '      '
const WIDEST = 90

export interface RelatedLook {
  /** Behind the title. */
  readonly mark?: string
  readonly view?: View
  /** Its words are marked where they occur. */
  readonly question?: string
}

/** One hit as a block of text: label, status, verdict, title, facts, preview. */
export function renderRelated(
  hit: RelatedDecision,
  { mark = '', view = PLAIN, question = '' }: RelatedLook = {},
): string {
  const number = Number(hit.id.slice('decision-'.length))
  // The verdict says what a score of words is worth; the number itself means nothing to a reader.
  const score = hit.found_by === 'words' && !view.verbose ? undefined : foundBy(hit)
  const facts = [
    `decided ${dated(hit.date, view)}`,
    hit.decision_type,
    hit.confidence && `confidence ${hit.confidence}`,
  ]
  const marked = wordMarker(question, view)
  const wrapped = (text: string) =>
    wrapWidth(text, Math.min(WIDEST, view.width - INDENT.length)).map((line) => `${INDENT}${marked(line)}`)
  const refs = [
    hit.supersedes && `supersedes ${label(Number(hit.supersedes))}`,
    hit.superseded_by && `superseded by ${label(Number(hit.superseded_by))}`,
  ]
  return [
    `${view.mark('title', label(number))}  ${view.mark('title', marked(hit.title))}${view.mark('warning', trustMark(hit.trust))}${view.mark('dim', mark)}`,
    `${INDENT}${[view.mark(VERDICT_TONES[hit.verdict], hit.verdict), view.mark('dim', [hit.status, score, ...facts, ...refs].filter(Boolean).join(' · '))].join(' · ')}`,
    ...(hit.brings_back ? wrapped(rejectedThere(hit.brings_back, label(number))) : []),
    ...wrapped(hit.rationale_preview),
  ].join('\n')
}

function rejectedThere(
  { alternative, reason, rejected_by: by, since, inferred }: NonNullable<RelatedDecision['brings_back']>,
  shown: string,
): string {
  return `${inferred ? 'perhaps rejected' : 'rejected'} ${by === shown ? 'there' : `by ${by} on ${since}, and still`}: ${alternative}${reason === '' ? '' : `: ${reason}`}`
}

export const VERDICT_TONES: Readonly<Record<RelatedDecision['verdict'], Tone>> = {
  strong: 'warning',
  related: 'good',
  weak: 'dim',
  none: 'dim',
}
