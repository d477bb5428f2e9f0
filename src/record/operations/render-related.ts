import { trustMark } from '../../kernel/domain/trust/trust.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { wordMarker } from '../../kernel/domain/view/mark-words.ts'
import type { Tone } from '../../kernel/domain/view/styled.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { wrapWidth } from '../../kernel/domain/view/width.ts'
import { label } from '../domain/decision/decision.ts'
import { type RelatedDecision, foundBy } from '../related-decision.ts'

const INDENT = '      '
const WIDEST = 90

export interface RelatedLook {
  /** Shown after the title. */
  readonly mark?: string
  readonly view?: View
  /** The question whose words are highlighted in the text. */
  readonly question?: string
}

/** One hit as a block of text: label, status, verdict, title, facts, preview. */
export function renderRelated(
  hit: RelatedDecision,
  { mark = '', view = PLAIN, question = '' }: RelatedLook = {},
): string {
  const number = Number(hit.id.slice('decision-'.length))
  // The verdict interprets a word score; the number itself means nothing to a reader.
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
