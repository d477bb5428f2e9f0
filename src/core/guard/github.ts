import type { Finding } from './finding.ts'

/** Workflow commands, which GitHub Actions shows as annotations beside the changed lines. */
export const toGithub = (findings: readonly Finding[]): string => findings.map(command).join('\n')

function command({ severity, file, line, also, decision, reason }: Finding): string {
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
