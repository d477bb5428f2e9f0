import { sha256 } from '../../../kernel/domain/sha256.ts'
import type { Finding, Severity } from './finding.ts'

/** A finding of any check, in the form that reports for other programs need. */
export type Reported = Omit<Finding, 'kind'> & { readonly kind: string }

/** Name and meaning of a kind of finding. */
export interface ReportRule {
  readonly kind: string
  readonly name: string
  readonly text: string
  readonly level: Severity
}

export const GUARD_RULES: readonly ReportRule[] = [
  {
    kind: 'returns',
    name: 'ReturnsToRejected',
    text: 'The change reintroduces something that a decision rejected or replaced.',
    level: 'warning',
  },
  { kind: 'governed', name: 'GovernedFile', text: 'The change is in a file that a decision names.', level: 'note' },
  { kind: 'touched', name: 'TouchedDecision', text: 'The change is about the subject of a decision.', level: 'note' },
]

/** The findings as a SARIF 2.1.0 log, for code scanning and editors. */
export function toSarif(findings: readonly Reported[], rules: readonly ReportRule[]): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Ken',
            rules: rules.map(({ kind, name, text, level }) => ({
              id: ruleId(kind),
              name,
              shortDescription: { text },
              defaultConfiguration: { level },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => toResult(finding, rules)),
      },
    ],
  }
}

const ruleId = (kind: string): string => `ken/${kind}`

function toResult(finding: Reported, rules: readonly ReportRule[]): object {
  return {
    ruleId: ruleId(finding.kind),
    ruleIndex: rules.findIndex(({ kind }) => kind === finding.kind),
    level: finding.severity,
    message: { text: finding.reason },
    locations: [location(finding.file, finding.line)],
    ...(finding.also.length === 0
      ? {}
      : { relatedLocations: finding.also.map((file, id) => ({ id, ...location(file, null) })) }),
    // Excludes the line number: the same finding further down is not a new one.
    partialFingerprints: { 'kenFinding/v1': `${finding.kind}:${finding.decision.label}:${finding.file}` },
    properties: {
      decision: finding.decision.label,
      decisionTitle: finding.decision.title,
      decisionStatus: finding.decision.status,
    },
  }
}

const location = (file: string, line: number | null): object => ({
  physicalLocation: {
    artifactLocation: { uri: toUri(file), uriBaseId: '%SRCROOT%' },
    ...(line === null ? {} : { region: { startLine: line } }),
  },
})

/** Replaces lone surrogates, from a file name that is not Unicode, because they cannot be encoded. */
const toUri = (path: string): string => path.toWellFormed().split('/').map(encodeURIComponent).join('/')

/** A GitLab Code Quality report, which merge requests show beside the changed lines. */
export const toGitlab = (findings: readonly Reported[]): object[] =>
  findings.map(({ kind, severity, file, line, decision, reason }) => ({
    description: reason,
    check_name: ruleId(kind),
    // Excludes the line number: the same finding further down is not a new one.
    fingerprint: sha256(JSON.stringify([kind, decision.label, file, reason])),
    severity: severity === 'warning' ? 'major' : 'info',
    location: { path: file.toWellFormed(), lines: { begin: line ?? 1 } },
  }))

/** Workflow commands, which GitHub Actions shows as annotations next to the changed lines. */
export const toGithub = (findings: readonly Reported[]): string => findings.map(command).join('\n')

function command({ severity, file, line, also, decision, reason }: Reported): string {
  const properties = [
    `file=${escapeProperty(file)}`,
    ...(line === null ? [] : [`line=${line}`]),
    `title=${escapeProperty(`${decision.label} ${decision.title}`)}`,
  ]
  const more = also.length === 0 ? '' : ` (also ${also.join(', ')})`
  return `::${severity === 'warning' ? 'warning' : 'notice'} ${properties.join(',')}::${escapeMessage(reason + more)}`
}

// A line break would end the command and let a title or file name start another one.
const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string => escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
