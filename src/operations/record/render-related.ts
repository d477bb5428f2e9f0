import { label } from '../../core/decision/decision.ts'
import { trustMark } from '../../core/trust/trust.ts'
import { type RelatedDecision, foundBy } from '../../record/related-decision.ts'

/** One hit as a block of text: label, status, verdict, title, facts, preview. */
export function renderRelated(hit: RelatedDecision, mark = ''): string {
  const number = Number(hit.id.slice('decision-'.length))
  const score = foundBy(hit)
  const facts = [`decided ${hit.date}`, hit.decision_type, hit.confidence && `confidence ${hit.confidence}`]
  const refs = [
    hit.supersedes && `supersedes ${label(Number(hit.supersedes))}`,
    hit.superseded_by && `superseded by ${label(Number(hit.superseded_by))}`,
  ]
  return [
    `${label(number)}  ${hit.title}${trustMark(hit.trust)}${mark}`,
    `      ${[hit.verdict, hit.status, score, ...facts, ...refs].filter(Boolean).join(' · ')}`,
    ...(hit.brings_back
      ? wrap(`rejected there: ${hit.brings_back.alternative}: ${hit.brings_back.reason.replace(/\s+/g, ' ')}`, 90).map(
          (line) => `      ${line}`,
        )
      : []),
    ...wrap(hit.rationale_preview, 90).map((line) => `      ${line}`),
  ].join('\n')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}
