import type { CatalogueEntry } from '../decision/catalogue.ts'
import { label } from '../decision/decision.ts'
import { governs } from '../decision/governs.ts'
import type { AddedLine, Changed } from './added-lines.ts'
import { type Finding, byWeight } from './finding.ts'
import { returnsFindings } from './returns.ts'
import { type TopicHit, touchedFindings } from './touched.ts'
import type { RecordTexts } from './turned-down.ts'

/** The record's findings for a diff. Shared words are reported only if a decision has no stronger reason for a file. */
export function judgeDiff(
  diff: { files: readonly Changed[]; lines: readonly AddedLine[] },
  record: RecordTexts,
  hits: readonly TopicHit[],
): Finding[] {
  const certain = [...returnsFindings(diff.lines, record), ...governedFindings(diff.files, record.decisions)]
  const spoken = new Set(
    certain.flatMap((finding) => [finding.file, ...finding.also].map((file) => `${finding.decision.num}\n${file}`)),
  )
  const likely = touchedFindings(hits).filter((finding) => !spoken.has(`${finding.decision.num}\n${finding.file}`))
  return [...certain, ...likely].sort(byWeight)
}

/**
 * The active decisions that name a changed file, or a folder or glob above it; one finding per decision for any number
 * of files.
 */
export function governedFindings(files: readonly Changed[], decisions: readonly CatalogueEntry[]): Finding[] {
  return decisions
    .filter((entry) => entry.status === 'active')
    .flatMap((entry) => {
      const patterns = entry.files_affected.filter((pattern) => files.some((file) => covers(pattern, file)))
      const [first, ...others] = files.filter((file) => patterns.some((pattern) => covers(pattern, file)))
      if (first === undefined) return []
      const { num, title, status } = entry
      return [
        {
          kind: 'governed' as const,
          severity: 'note' as const,
          file: first.path,
          line: null,
          also: others.map((file) => file.path),
          decision: { num, label: label(num), title, status },
          reason: `${label(num)} "${title}" names ${patterns.join(', ')}${fate(first)}`,
        },
      ]
    })
}

const covers = (pattern: string, file: Changed): boolean =>
  governs(pattern, file.path) || (file.previousPath !== undefined && governs(pattern, file.previousPath))

/** Additional note for a deleted or renamed file: the decision then refers to a missing file. */
function fate({ status, path, previousPath }: Changed): string {
  if (status === 'deleted') return `; ${path} is deleted here`
  return status === 'renamed' ? `; ${previousPath} is renamed here` : ''
}
