import { ellipsis } from '../../../kernel/domain/text.ts'
import { parseQuestions } from '../question.ts'
import { snapshotName, type Snapshot } from './snapshot.ts'

const LONGEST_LINE = 480

export interface SnapshotDiff {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly modified: readonly string[]
}

export function compareSnapshots(before: Snapshot, after: Snapshot): SnapshotDiff {
  const names = [...new Set([...Object.keys(before.files), ...Object.keys(after.files)])].sort()
  return {
    added: names.filter((name) => !(name in before.files)),
    removed: names.filter((name) => !(name in after.files)),
    modified: names.filter(
      (name) => name in before.files && name in after.files && before.files[name] !== after.files[name],
    ),
  }
}

/** Describes the changes between two snapshots in plain words. */
export function describeDiff(before: Snapshot, after: Snapshot, anchor?: string): string {
  const diff = compareSnapshots(before, after)
  const lines = [
    `Changes from ${snapshotName(before.version ?? 0)} → ${snapshotName(after.version ?? 0)}`,
    `(${before.timestamp.slice(0, 19)} → ${after.timestamp.slice(0, 19)})`,
    ...(anchor === undefined ? [] : [anchor]),
    '',
  ]
  for (const name of diff.added) lines.push(`+ New file: ${name}${titleOf(after.files[name]!, name)}`)
  for (const name of diff.removed) lines.push(`- Removed file: ${name}`)
  for (const name of diff.modified)
    lines.push(`~ ${name}`, ...describeFile(name, before.files[name]!, after.files[name]!).map((line) => `  ${line}`))
  if (diff.added.length + diff.removed.length + diff.modified.length === 0) lines.push('No changes detected.')
  return lines.join('\n')
}

function describeFile(name: string, before: string, after: string): string[] {
  if (name === 'open-questions.md') return describeQuestions(before, after)
  if (name.startsWith('decisions/')) return describeDecision(before, after)
  if (name === 'state_current.md' || name === 'stack.md') return describeLines(before, after)
  const [added, removed] = changedLines(before, after)
  return [`${added.length} lines added, ${removed.length} removed`]
}

function describeQuestions(before: string, after: string): string[] {
  const open = (text: string) =>
    new Map(
      parseQuestions(text)
        .filter((q) => q.resolvedBy === undefined)
        .map((q) => [q.id, q.body]),
    )
  const [was, is] = [open(before), open(after)]
  return [
    ...[...is].filter(([id]) => !was.has(id)).map(([id, body]) => `+ [${id}] ${oneLine(body)}`),
    ...[...was].filter(([id]) => !is.has(id)).map(([id, body]) => `resolved or removed: [${id}] ${oneLine(body)}`),
  ]
}

function describeDecision(before: string, after: string): string[] {
  const field = (text: string, key: string) => new RegExp(`^${key}: '?([^'\\n]*)'?$`, 'm').exec(text)?.[1]
  if (field(before, 'status') !== 'superseded' && field(after, 'status') === 'superseded')
    return [`superseded by D${field(after, 'superseded_by') ?? '?'}`]
  const version = field(after, 'version')
  return [field(before, 'version') === version ? 'modified' : `updated to version ${version}`]
}

function describeLines(before: string, after: string): string[] {
  const [added, removed] = changedLines(before, after)
  const shown = [...added.map((line) => `+ ${oneLine(line)}`), ...removed.map((line) => `- ${oneLine(line)}`)]
  return shown.length > 0 ? shown : ['details updated']
}

function changedLines(before: string, after: string): [string[], string[]] {
  const lines = (text: string) =>
    text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('*Last updated:'))
  const [was, is] = [new Set(lines(before)), new Set(lines(after))]
  return [[...is].filter((line) => !was.has(line)), [...was].filter((line) => !is.has(line))]
}

const titleOf = (text: string, name: string): string =>
  name.startsWith('decisions/') ? ` (${/^# (.+)$/m.exec(text)?.[1] ?? 'no title'})` : ''
const oneLine = (text: string): string => ellipsis(text.replace(/\s*\n\s*/g, ' '), LONGEST_LINE)
