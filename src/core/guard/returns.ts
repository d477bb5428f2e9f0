import { label } from '../decision/decision.ts'
import { governs } from '../decision/governs.ts'
import { thingsOfPackage } from '../names/package-names.ts'
import { runs } from '../names/words.ts'
import type { AddedLine } from './added-lines.ts'
import type { Finding } from './finding.ts'
import { everythingTurnedDown, type RecordTexts, type TurnedDown } from './turned-down.ts'

/**
 * Added lines that bring back what was rejected or replaced, one finding for each decision and thing. Comments may name
 * what they like.
 */
export function returnsFindings(lines: readonly AddedLine[], record: RecordTexts): Finding[] {
  const all = everythingTurnedDown(record)
  const byKey = Map.groupBy(all, ({ thing }) => thing.key)
  const byId = Map.groupBy(all, ({ thing }) => thing.id)
  const met = lines.flatMap((line) => [
    ...line.packages.flatMap((name) => inPackage(name, byId).map((turnedDown) => ({ turnedDown, line, name }))),
    ...(line.via === 'code' || line.via === 'import'
      ? inCode(line, byKey).map((turnedDown) => ({ turnedDown, line, name: undefined }))
      : []),
  ])
  const groups = Map.groupBy(met, ({ turnedDown: { entry, thing } }) => `${entry.stem}\n${thing.id}`)
  return withoutEchoes([...groups.values()].map(toFinding))
}

interface Meeting {
  readonly turnedDown: TurnedDown
  readonly line: AddedLine
  /** The package that brought it; undefined when the code names it. */
  readonly name: string | undefined
}

function toFinding(meetings: readonly Meeting[]): Finding {
  const strongest =
    meetings.find(({ line }) => line.via === 'dependency') ??
    meetings.find(({ name }) => name !== undefined) ??
    meetings[0]!
  const {
    turnedDown: { entry, because, isChosenElsewhere },
    line,
    name,
  } = strongest
  const act =
    name === undefined
      ? 'the code names it'
      : ({ dependency: `adds the package ${name}`, config: `configures ${name}`, file: `is a file of ${name}` }[
          line.via as string
        ] ?? `imports ${name}`)
  return {
    kind: 'returns',
    severity: name !== undefined && !isChosenElsewhere ? 'warning' : 'note',
    file: line.file,
    line: line.line,
    also: [...new Set(meetings.map((meeting) => meeting.line.file))].filter((file) => file !== line.file),
    decision: { num: entry.num, label: label(entry.num), title: entry.title, status: entry.status },
    reason: `${act}: ${because}`,
  }
}

function inPackage(name: string, byId: ReadonlyMap<string, readonly TurnedDown[]>): TurnedDown[] {
  return [...new Set(thingsOfPackage(name, (id) => byId.has(id)).flatMap((id) => byId.get(id) ?? []))]
}

/**
 * In code a thing must be spelled as a name; and a decision that says which files it is about speaks of those alone.
 */
function inCode(line: AddedLine, byKey: ReadonlyMap<string, readonly TurnedDown[]>): TurnedDown[] {
  const found = runs(withoutProse(line.text))
    .filter((run) => !line.removed.has(run.key))
    .flatMap((run) =>
      (byKey.get(run.key) ?? []).filter(
        ({ thing }) => thing.inCode === 'key' || (thing.inCode === 'spelling' && run.spelled === thing.spelled),
      ),
    )
  const isInScope = ({ entry }: TurnedDown) =>
    entry.files_affected.length === 0 || entry.files_affected.some((pattern) => governs(pattern, line.file))
  return [...new Set(found)].filter(isInScope)
}

/** Sentences in quotes are shown to somebody; they bring nothing in. */
const withoutProse = (text: string): string =>
  text.replaceAll(/(["'`])(?=[^"'`]*\s)[^"'`]*\1/g, '""').replace(/\s\/\/ .*$/, '')

/** A replaced decision says nothing that its successor, which rejected the same thing, has not said already. */
function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const said = new Set(
    findings
      .filter((finding) => finding.decision.status === 'active')
      .map((finding) => `${finding.file}:${finding.line}`),
  )
  return findings.filter(
    (finding) => finding.decision.status === 'active' || !said.has(`${finding.file}:${finding.line}`),
  )
}
