import type { CatalogueEntry } from '../decision/catalogue.ts'
import { isSeed, label, type Decision } from '../decision/decision.ts'
import { governs } from '../decision/governs.ts'
import { ellipsis } from '../text.ts'
import type { Finding } from './finding.ts'
import type { AddedLine } from './added-lines.ts'
import { namedThings, type NamedThing } from './named-thing.ts'
import { runs } from './words.ts'

/** Something the record turned down: an alternative of a decision that holds, or a decision that does not hold any more. */
interface TurnedDown {
  readonly thing: NamedThing
  readonly entry: CatalogueEntry
  readonly because: string
  /** A newer decision that holds has it in its title: it may well be wanted here. */
  readonly isChosenElsewhere: boolean
}

export interface RecordTexts {
  readonly decisions: readonly CatalogueEntry[]
  /** By stem; a decision whose text could not be read is not among them. */
  readonly texts: ReadonlyMap<string, Decision>
}

const LONGEST_REASON = 160

/** Added lines that bring back what was rejected or replaced, one finding for each decision and thing. Comments may name what they like. */
export function returnsFindings(lines: readonly AddedLine[], record: RecordTexts): Finding[] {
  const turnedDown = Map.groupBy(everythingTurnedDown(record), (each) => each.thing.key)
  const byPackage = Map.groupBy([...turnedDown.values()].flat(), (each) => each.thing.packageName ?? '')
  const met = lines.flatMap((line) => [
    ...line.packages.flatMap((name) => inPackage(name, turnedDown, byPackage).map((each) => ({ each, line, name }))),
    ...(line.via === 'dependency' || line.via === 'comment' ? [] : inCode(line, turnedDown).map((each) => ({ each, line, name: undefined }))),
  ])
  const groups = Map.groupBy(met, ({ each }) => `${each.entry.stem}\n${each.thing.key}`)
  return withoutEchoes([...groups.values()].map(toFinding))
}

interface Meeting {
  readonly each: TurnedDown
  readonly line: AddedLine
  /** The package that brought it; undefined when the code names it. */
  readonly name: string | undefined
}

function toFinding(meetings: readonly Meeting[]): Finding {
  const strongest = meetings.find(({ line }) => line.via === 'dependency') ?? meetings.find(({ name }) => name !== undefined) ?? meetings[0]!
  const { each: { entry, because, isChosenElsewhere }, line, name } = strongest
  const act = name === undefined ? 'the code names it' : line.via === 'dependency' ? `adds the package ${name}` : `imports ${name}`
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

function everythingTurnedDown({ decisions, texts }: RecordTexts): TurnedDown[] {
  const active = decisions.filter((entry) => entry.status === 'active' && !isSeed(entry))
  const titles = new Map(active.map((entry) => [entry.num, new Set(runs(chosenIn(entry.title)).map((run) => run.key))]))
  const isInTitleAfter = (num: number, key: string) => [...titles].some(([other, keys]) => other > num && keys.has(key))
  const rejected = active.flatMap((entry) =>
    (texts.get(entry.stem)?.rejected ?? []).flatMap(({ name, reason }) =>
      namedThings(name, contextOf(texts.get(entry.stem)!))
        // "PostgreSQL without extensions" turns down a way to use what the decision itself chose.
        .filter((thing) => !titles.get(entry.num)!.has(thing.key))
        .map((thing) => ({ thing, entry, isChosenElsewhere: isInTitleAfter(entry.num, thing.key), because: `${label(entry.num)} "${entry.title}" rejected ${name}${reason === null ? '' : ` (${firstSentence(reason)})`}` }))))
  const replaced = decisions.filter((entry) => entry.status === 'superseded').flatMap((entry) =>
    namedThings(entry.title, texts.get(entry.stem)?.rationale ?? '')
      .filter((thing) => thing.inCode !== 'never' && ![...titles.values()].some((keys) => keys.has(thing.key)))
      .map((thing) => ({ thing: { ...thing, inCode: 'never' as const }, entry, isChosenElsewhere: false, because: `${label(entry.num)} "${entry.title}" was replaced by ${successor(entry, decisions)}` })))
  return [...rejected, ...replaced]
}

/** The part of a title that says what is done: "REST instead of GraphQL" does not choose GraphQL, "No Redis" chooses nothing. */
const chosenIn = (title: string): string =>
  title.replace(/^(?:no|do not|don't|never|avoid|drop|remove|stop|ban|reject)\b.*$/i, '').replace(/\s(?:instead of|rather than|over|not|without|no longer)\s.*$/i, '')

function successor(entry: CatalogueEntry, decisions: readonly CatalogueEntry[]): string {
  const num = Number(entry.superseded_by)
  const title = decisions.find((other) => other.num === num)?.title
  return title === undefined ? label(num) : `${label(num)} "${title}"`
}

const contextOf = ({ title, rationale, rejected }: Decision): string => [title, rationale, ...rejected.map((r) => r.reason ?? '')].join('\n')

const firstSentence = (text: string): string => ellipsis(text.replace(/\s+/g, ' ').split(/(?<=[.!?])\s/)[0]!.replace(/\.$/, ''), LONGEST_REASON)

type ByKey = ReadonlyMap<string, readonly TurnedDown[]>

function inPackage(name: string, byKey: ByKey, byPackage: ByKey): TurnedDown[] {
  const bare = name.replace(/^@[^/]+\//, '').toLowerCase()
  const keys = runs(name).flatMap(({ key }) => (key.length > 4 && key.endsWith('js') ? [key, key.slice(0, -2)] : [key]))
  return [...new Set([...keys.flatMap((key) => byKey.get(key) ?? []), ...(bare === '' ? [] : (byPackage.get(bare) ?? []))])]
}

/** In code a thing must be spelled as a name; and a decision that says which files it is about speaks of those alone. */
function inCode(line: AddedLine, byKey: ByKey): TurnedDown[] {
  const found = runs(line.text).filter((run) => !line.removed.has(run.key)).flatMap((run) =>
    (byKey.get(run.key) ?? []).filter(({ thing }) => thing.inCode === 'key' || (thing.inCode === 'spelling' && run.spelled === thing.spelled)))
  const isInScope = ({ entry }: TurnedDown) => entry.files_affected.length === 0 || entry.files_affected.some((pattern) => governs(pattern, line.file))
  return [...new Set(found)].filter(isInScope)
}

/** A replaced decision says nothing that its successor, which rejected the same thing, has not said already. */
function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const said = new Set(findings.filter((f) => f.decision.status === 'active').map((f) => `${f.file}:${f.line}`))
  return findings.filter((f) => f.decision.status === 'active' || !said.has(`${f.file}:${f.line}`))
}
