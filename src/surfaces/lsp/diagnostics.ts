import { type Diagnostic, DiagnosticSeverity, type Range } from 'vscode-languageserver/node'
import { ellipsis } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Finding } from '../../record/domain/guard/finding.ts'
import type { DriftFinding } from '../../record/find-drift.ts'

/**
 * A diagnostic with the data that its code actions need; an editor may not return `data`, so Ken keeps its own copy.
 */
export interface EditorFinding {
  readonly diagnostic: Diagnostic
  readonly decision: { readonly num: number; readonly stem: string; readonly title: string; readonly isActive: boolean }
  readonly reason: string
  /** The line without indentation; empty for the whole file. */
  readonly line: string
}

export interface DecisionLink {
  readonly stem: string
  readonly uri: string
}

const LONGEST_MESSAGE = 600
const LONGEST_KEPT_LINE = 500
// A line may name something that many decisions reject; the newest of them suffice.
const MOST_PER_LINE = 3
const MOST_PER_FILE = 100

/** Findings of guard and drift as an editor shows them, worst first. */
export function toEditorFindings(
  { findings, drift }: { readonly findings: readonly Finding[]; readonly drift: readonly DriftFinding[] },
  { lines, path, linkOf }: { lines: readonly string[]; path: string; linkOf(num: number): DecisionLink | undefined },
): EditorFinding[] {
  const all = [
    ...findings.map((each) => ({
      line: each.line,
      severity: severityOf(each),
      decision: each.decision,
      isActive: each.decision.status === 'active',
      reason: each.reason,
    })),
    ...drift.map((each) => ({
      line: each.path === path ? each.line : null,
      severity: each.level === 'contradicts' ? DiagnosticSeverity.Warning : DiagnosticSeverity.Information,
      decision: each.decision,
      isActive: true,
      reason: `the code no longer follows ${each.decision.label} "${each.decision.title}": ${each.about}: ${each.now}; ${each.was}`,
    })),
  ]
  const perLine = new Map<number, Set<string>>()
  return all
    .toSorted((a, b) => a.severity - b.severity || b.decision.num - a.decision.num)
    .flatMap((each): EditorFinding[] => {
      const link = linkOf(each.decision.num)
      if (link === undefined) return []
      const at = Math.min(Math.max((each.line ?? 1) - 1, 0), Math.max(lines.length - 1, 0))
      const said = perLine.get(at) ?? new Set()
      perLine.set(at, said)
      if (said.has(each.reason) || said.size >= MOST_PER_LINE) return []
      said.add(each.reason)
      return [
        {
          diagnostic: {
            range: rangeOf(lines, at, each.line === null),
            severity: each.severity,
            code: each.decision.label,
            codeDescription: { href: link.uri },
            source: 'ken',
            message: ellipsis(visibleLine(each.reason), LONGEST_MESSAGE),
          },
          decision: {
            num: each.decision.num,
            stem: link.stem,
            title: each.decision.title,
            isActive: each.isActive,
          },
          reason: each.reason,
          line: each.line === null ? '' : dismissedLine(lines[at] ?? ''),
        },
      ]
    })
    .slice(0, MOST_PER_FILE)
}

/** The part of a line that a dismissal remembers: indentation may change. */
const dismissedLine = (line: string): string => line.trim().slice(0, LONGEST_KEPT_LINE)

/** A reintroduced rejection is a warning; an inferred rejection, or the choice of another decision, is information. */
function severityOf({ kind, severity }: Finding): DiagnosticSeverity {
  if (kind !== 'returns') return DiagnosticSeverity.Hint
  return severity === 'warning' ? DiagnosticSeverity.Warning : DiagnosticSeverity.Information
}

/** The text of a line without its indentation; if the finding is about the whole file, its first character. */
function rangeOf(lines: readonly string[], at: number, isFile: boolean): Range {
  const text = lines[at] ?? ''
  const start = isFile ? 0 : text.length - text.trimStart().length
  const end = isFile ? Math.min(1, text.length) : text.trimEnd().length
  return { start: { line: at, character: start }, end: { line: at, character: Math.max(start, end) } }
}
