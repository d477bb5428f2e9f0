import { plural } from '../../../kernel/domain/text.ts'
import { fileDiff } from '../../../kernel/domain/text/unified-diff.ts'
import type { Finding } from './finding.ts'

type Answered = { readonly supersededBy?: string | undefined }

interface Drifted extends Answered {
  readonly decision: { readonly num: number; readonly label: string; readonly title: string }
  readonly level: 'contradicts' | 'gone' | 'changed'
  readonly about: string
  readonly path: string | null
  readonly line: number | null
  readonly was: string
  readonly now: string
  readonly next: string
}

interface Recorded {
  readonly path: string
  readonly change: 'added' | 'edited' | 'deleted'
  readonly label: string
  readonly title: string
  readonly before: string | undefined
  readonly after: string | undefined
  readonly supersedes: readonly string[]
  readonly isProposal: boolean
}

interface ChangeReport {
  readonly findings: readonly (Finding & Answered)[]
  readonly caused: readonly Drifted[]
  readonly mended: readonly Drifted[]
  readonly recorded: readonly Recorded[]
  readonly pending: readonly { readonly label: string; readonly title: string }[]
  readonly notes: readonly string[]
}

const MOST_ROWS = 20
// All diffs together must leave room in a comment, which GitHub limits to 65,536 characters.
const MOST_DIFFS = 5
const MOST_LINES = 40
const MOST_CHARACTERS = 200

/** The report as a Markdown comment; empty if there is nothing to report. */
export function changeComment(report: ChangeReport): string {
  const { findings, caused, mended, recorded, pending } = report
  if ([findings, caused, mended, recorded, pending].every((list) => list.length === 0)) return ''
  // A name in code rarely reintroduces anything: notes are folded, with the decisions worth reading.
  const isBack = ({ kind, severity }: Finding) => kind === 'returns' && severity === 'warning'
  const back = findings.filter(isBack)
  const reported = new Set([...back, ...caused].map(({ decision }) => decision.num))
  const touched = findings.filter((each) => !isBack(each) && !reported.has(each.decision.num))
  const left = caused.filter(({ level }) => level !== 'changed')
  const rewritten = caused.filter(({ level }) => level === 'changed')
  return [
    ...section('Reintroduces rejected alternatives', back.map(findingLine)),
    ...section('No longer follows', left.map(driftLine)),
    ...commands([...back, ...left]),
    ...section('Changed so much that the decision is worth reading again', rewritten.map(driftLine)),
    ...section(
      'Follows again',
      mended.map(({ decision, about }) => `${nameOf(decision)}: ${plainMarkdown(about)}`),
    ),
    ...recordedSection(recorded),
    ...section(
      'Agent proposals pending review',
      pending.map((each) => `${nameOf(each)}: \`ken accept ${each.label}\``),
    ),
    ...touchedSection(touched),
    ...(report.notes.length === 0 ? [] : ['', ...report.notes.map((note) => `> ${plainMarkdown(note)}`)]),
  ]
    .join('\n')
    .trim()
}

const nameOf = ({ label, title }: { label: string; title: string }): string => `**${label}** ${plainMarkdown(title)}`

const placeOf = (file: string, line: number | null): string =>
  `${plainMarkdown(file)}${line === null ? '' : `:${line}`}`

const answeredBy = ({ supersededBy }: Answered): string =>
  supersededBy === undefined ? '' : ` — superseded in this change by **${supersededBy}**, for review below`

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0
    ? []
    : [
        '',
        `**${title}**`,
        '',
        ...lines.slice(0, MOST_ROWS).map((line) => `- ${line}`),
        ...(lines.length > MOST_ROWS ? [`- … and ${lines.length - MOST_ROWS} more`] : []),
      ]

const findingLine = (each: Finding & Answered): string =>
  `${each.severity === 'warning' && each.supersededBy === undefined ? '⚠️ ' : ''}${placeOf(each.file, each.line)}${more(each.also)}: ${plainMarkdown(each.reason)}${answeredBy(each)}`

const more = (also: readonly string[]): string =>
  also.length === 0 ? '' : ` (and ${plural(also.length, 'more file')})`

const driftLine = (each: Drifted): string =>
  `${nameOf(each.decision)}: ${plainMarkdown(`${each.about}: ${each.now}`)}${each.path === null ? '' : ` (${placeOf(each.path, each.line)})`}${answeredBy(each)}`

/** One command for each decision that the change contradicts and does not supersede. */
function commands(findings: readonly ((Finding | Drifted) & Answered)[]): string[] {
  const open = findings.filter(
    (each) => each.supersededBy === undefined && !('severity' in each && each.severity !== 'warning'),
  )
  // The first finding of each decision names the reintroduced option.
  const byNumber = new Map(open.toReversed().map((each) => [each.decision.num, each] as const))
  if (byNumber.size === 0) return []
  const lines = [...byNumber].toReversed().map(([num, each]) => {
    const thing = 'thing' in each ? each.thing : undefined
    return `ken supersede ${num} ${thing !== undefined && IS_NAME.test(thing) ? `"Use ${thing}"` : '"What holds now"'} --rationale "What changed since"`
  })
  return ['', 'If the change is right, supersede the decision with the reason:', '', ...codeBlock('sh', lines)]
}

/** A name that is literal between the quotes of a shell. */
const IS_NAME = /^[\p{L}\p{N} .+@/_-]{1,60}$/u

function recordedSection(recorded: readonly Recorded[]): string[] {
  if (recorded.length === 0) return []
  return [
    ...section('Decisions in this change', recorded.map(recordedLine)),
    '',
    `<details><summary>${recorded.length > MOST_DIFFS ? `Text of the first ${MOST_DIFFS}` : 'Text'}</summary>`,
    '',
    ...recorded.slice(0, MOST_DIFFS).flatMap((each) => [...codeBlock('diff', diffOf(each)), '']),
    '</details>',
  ]
}

function recordedLine(each: Recorded): string {
  const facts = [
    { added: 'new', edited: 'edited', deleted: 'deleted, which a record never is: supersede it instead' }[each.change],
    ...(each.supersedes.length === 0 ? [] : [`supersedes ${each.supersedes.join(', ')}`]),
    ...(each.isProposal ? ['proposed by an agent, pending review'] : []),
  ]
  return `${nameOf({ label: plainMarkdown(each.label), title: each.title })} (${facts.join('; ')})`
}

function diffOf({ path, before, after }: Recorded): string[] {
  const lines = fileDiff(path, before, after).split('\n')
  return [
    ...lines
      .slice(0, MOST_LINES)
      .map((line) => (line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line)),
    ...(lines.length > MOST_LINES ? [`… and ${lines.length - MOST_LINES} more lines`] : []),
  ]
}

/** Notes, one line for each decision. */
function touchedSection(findings: readonly Finding[]): string[] {
  const groups = [...Map.groupBy(findings, ({ decision }) => decision.num).values()]
  if (groups.length === 0) return []
  const lines = groups.map((group) => {
    const files = [...new Set(group.flatMap(({ file, also }) => [file, ...also]))]
    const shown = files.slice(0, 3).map((file) => placeOf(file, null))
    return `${nameOf(group[0]!.decision)}: ${shown.join(', ')}${more(files.slice(3))}`
  })
  return [
    '',
    `<details><summary>${plural(groups.length, 'decision')} about what this changes</summary>`,
    ...section('Worth reading', lines).slice(2),
    '',
    '</details>',
  ]
}

const LONGEST = 300

/** Escapes a text for Markdown, so that it contains no mention, no link and no markup. */
function plainMarkdown(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line
  return (
    short
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_{}[\]()#+!|~$^=:-]/g, '\\$&')
      // A person, an issue, a commit or an address would be linked, and the person notified. The zero-width space is
      // written as an entity, because the character itself would be shown as an escape.
      .replaceAll(/@|\\#|\bGH(?=\\-)|www(?=\.)|\\:(?=\/\/)|[0-9a-f]{7}(?=[0-9a-f]*)/gi, '$&&#8203;')
  )
}

/** A code block that its text cannot close. Invisible characters, which could reorder the text, are replaced. */
function codeBlock(language: string, lines: readonly string[]): string[] {
  const text = lines.map((line) => line.toWellFormed().replaceAll(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}'))
  const longest = Math.max(2, ...text.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, ...text, fence]
}
