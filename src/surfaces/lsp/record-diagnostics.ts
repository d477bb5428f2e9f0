import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node'
import { findHidden, plainText, visibleLine } from '../../kernel/domain/trust/visible.ts'
import { toEntry } from '../../record/domain/decision/catalogue.ts'
import { FRONTMATTER_KEYS } from '../../record/domain/decision/decision.ts'
import { DecisionFault } from '../../record/domain/decision/fault.ts'
import { parseDecision } from '../../record/domain/decision/parse.ts'
import { examine, type Flaw } from '../../record/domain/doctor.ts'
import { QUESTIONS } from '../../record/domain/files.ts'
import type { Place } from './open-projects.ts'

/** The stem of a decision's file in a record; undefined for the other files. */
export const stemOf = (path: string): string | undefined => /^decisions\/([^/]+)\.md$/.exec(path)?.[1]

/** Problems in a record file: violations of the strict format, and conflicts with the rest of the record. */
export async function recordDiagnostics({ project, path }: Place, given: string): Promise<Diagnostic[]> {
  const stem = stemOf(path)
  if (stem === undefined && path !== QUESTIONS) return []
  const text = plainText(given)
  const catalogue = await project.store.catalogue()
  const questions = path === QUESTIONS ? text : ((await project.store.read(QUESTIONS)) ?? '')
  let decisions = catalogue.decisions
  if (stem !== undefined) {
    const fault = faultOf(text, stem)
    if (fault !== undefined) return [diagnostic(text, fault, DiagnosticSeverity.Error)]
    const entry = toEntry(stem, parseDecision(text, `${stem}.md`))
    decisions = [...decisions.filter((each) => each.stem !== stem), entry].sort((a, b) => a.num - b.num)
  }
  const flaws = examine({
    catalogue: { decisions, unreadable: [] },
    hashes: new Map(),
    updated: new Set(),
    hashIndex: {},
    questions,
  })
  return flaws
    .filter((flaw) => flaw.path === path)
    .map((flaw) => diagnostic(text, messageOf(flaw), DiagnosticSeverity.Warning))
}

const messageOf = ({ message, repair }: Flaw): string =>
  repair === undefined ? message : `${message} (\`ken repair\`: ${repair})`

function faultOf(text: string, stem: string): string | undefined {
  const hidden = findHidden(text)
  if (hidden !== undefined) return `The text contains ${hidden.name} at character ${hidden.position}.`
  try {
    const { num } = parseDecision(text, `${stem}.md`)
    const heading = Number(/^#[^\S\n]+([0-9]+)[^\S\n]/m.exec(text)?.[1])
    return heading === num ? undefined : `The heading has number ${heading}, the file name ${num}.`
  } catch (thrown) {
    if (!(thrown instanceof DecisionFault)) throw thrown
    return thrown.message
  }
}

function diagnostic(text: string, message: string, severity: DiagnosticSeverity): Diagnostic {
  const lines = text.split('\n')
  const line = Math.max(0, lineAbout(lines, message))
  return {
    range: { start: { line, character: 0 }, end: { line, character: lines[line]?.length ?? 0 } },
    severity,
    code: 'format',
    source: 'ken',
    message: visibleLine(message),
  }
}

/** The line of a message: that of the key or question it names, of the heading, or the first. */
function lineAbout(lines: readonly string[], message: string): number {
  const question = /\bQ\d+\b/.exec(message)?.[0]
  if (question !== undefined) return lines.findIndex((line) => line.includes(`[${question}]`))
  if (/heading/i.test(message)) return lines.findIndex((line) => line.startsWith('# '))
  const quoted = /"([\w-]+)"/.exec(message)?.[1]
  const keys = [...(quoted === undefined ? [] : [quoted]), ...FRONTMATTER_KEYS.filter((key) => message.includes(key))]
  const alternative = /alternative "(.+)" has no reason/.exec(message)?.[1]
  if (alternative !== undefined) return lines.indexOf(`### ${alternative}`)
  if (/\bit supersedes\b/.test(message)) keys.push('supersedes')
  if (/goes in a circle/.test(message)) keys.push('superseded_by')
  // The longest key first, because a message about superseded_by may also contain shorter keys.
  return lines.findIndex((line) => keys.some((key) => line.startsWith(`${key}:`)))
}
