import type { CatalogueEntry } from '../decision/catalogue.ts'
import { label } from '../decision/decision.ts'
import { governs } from '../decision/governs.ts'
import type { Changed } from './added-lines.ts'
import type { Finding } from './finding.ts'

/**
 * The active decisions that name a changed file, or a folder or glob above it; one finding each, however many files it
 * covers.
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

/** What a reader must know beyond "changed": the decision then points at a file that is no longer there. */
function fate({ status, path, previousPath }: Changed): string {
  if (status === 'deleted') return `; ${path} is deleted here`
  return status === 'renamed' ? `; ${previousPath} is renamed here` : ''
}
