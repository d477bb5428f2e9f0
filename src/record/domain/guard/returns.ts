import { label } from '../decision/decision.ts'
import { governs } from '../decision/governs.ts'
import { type Wanted, wantedIds } from '../names/mentions.ts'
import { thingsOfPackage } from '../names/package-names.ts'
import { runs } from '../names/words.ts'
import type { AddedLine } from './added-lines.ts'
import type { Finding } from './finding.ts'
import { everythingTurnedDown, type RecordTexts, type TurnedDown } from './turned-down.ts'

/**
 * Added lines that reintroduce a rejected or superseded choice, one finding for each decision and thing. Comments are
 * ignored.
 */
export function returnsFindings(lines: readonly AddedLine[], record: RecordTexts): Finding[] {
  const met = lines.flatMap((line) => meetingsOf(line, record))
  const groups = Map.groupBy(met, ({ turnedDown: { entry, thing } }) => `${entry.stem}\n${thing.id}`)
  return withoutEchoes([...groups.values()].map(toFinding))
}

/** Whether a line alone reintroduces something; the rest of the change may still excuse it. */
export const mayReturn = (line: AddedLine, record: RecordTexts): boolean => meetingsOf(line, record).length > 0

function meetingsOf(line: AddedLine, record: RecordTexts): Meeting[] {
  const { byKey, byId, wanted } = turnedDownIn(record)
  return [
    ...line.packages.flatMap((name) => inPackage(name, wanted, byId).map((turnedDown) => ({ turnedDown, line, name }))),
    ...(line.via === 'code' || line.via === 'import'
      ? [...inCode(line, byKey), ...environmentKeys(line.text).flatMap((name) => inPackage(name, wanted, byId))].map(
          (turnedDown) => ({ turnedDown, line, name: undefined }),
        )
      : []),
  ]
}

interface TurnedDownIndex {
  readonly byKey: ReadonlyMap<string, readonly TurnedDown[]>
  readonly byId: ReadonlyMap<string, readonly TurnedDown[]>
  readonly wanted: Wanted
}

// Cached by identity: an editor checks one record at every pause in typing.
const indexes = new WeakMap<RecordTexts, TurnedDownIndex>()

/** Everything that the record rejects, by key and by id. */
export function turnedDownIn(record: RecordTexts): TurnedDownIndex {
  const known = indexes.get(record)
  if (known !== undefined) return known
  const all = everythingTurnedDown(record)
  const byId = Map.groupBy(all, ({ thing }) => thing.id)
  const index = { byKey: Map.groupBy(all, ({ thing }) => thing.key), byId, wanted: wantedIds(byId.keys()) }
  indexes.set(record, index)
  return index
}

interface Meeting {
  readonly turnedDown: TurnedDown
  readonly line: AddedLine
  /** The package that reintroduced the thing; undefined if the code itself names it. */
  readonly name: string | undefined
}

function toFinding(meetings: readonly Meeting[]): Finding {
  const strongest =
    meetings.find(({ line }) => line.via === 'dependency') ??
    meetings.find(({ name }) => name !== undefined) ??
    meetings[0]!
  const {
    turnedDown: { entry, thing, because, isChosenElsewhere },
    line,
    name,
  } = strongest
  const isInferred = meetings.every(({ turnedDown }) => turnedDown.isInferred)
  const act =
    name === undefined
      ? 'the code names it'
      : ({ dependency: `adds the package ${name}`, config: `configures ${name}`, file: `is a file of ${name}` }[
          line.via as string
        ] ?? `imports ${name}`)
  return {
    kind: 'returns',
    severity: name !== undefined && !isChosenElsewhere && !isInferred ? 'warning' : 'note',
    file: line.file,
    line: line.line,
    also: [...new Set(meetings.map((meeting) => meeting.line.file))].filter((file) => file !== line.file),
    decision: { num: entry.num, label: label(entry.num), title: entry.title, status: entry.status },
    reason: `${act}: ${because}`,
    thing: thing.spelled,
    ...(isInferred && { inferred: true }),
  }
}

function inPackage(name: string, wanted: Wanted, byId: ReadonlyMap<string, readonly TurnedDown[]>): TurnedDown[] {
  return [...new Set(thingsOfPackage(name, wanted).flatMap((id) => byId.get(id) ?? []))]
}

/** `env.DD_API_KEY`, `os.environ["DD_API_KEY"]`, `Getenv("DD_API_KEY")`: the service a program is configured for. */
const environmentKeys = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:\benv\.|\b(?:environ|ENV|env)\[\s*["']|\b(?:environ\.get|getenv|env(?:\.get|::var)?|fetch)\(\s*["'])([A-Z][A-Z0-9]*_[A-Z0-9_]+)/gi,
    ),
  ]
    .map(([, key]) => key!)
    .filter((key) => key === key.toUpperCase())

/**
 * In code a thing must be spelled as a name; JSON data may contain it for other reasons. A decision that names its
 * files applies only to those.
 */
function inCode(line: AddedLine, byKey: ReadonlyMap<string, readonly TurnedDown[]>): TurnedDown[] {
  if (/\.jsonc?$/.test(line.file)) return []
  const text = withoutProse(line)
  const found = runs(text)
    .filter((run) => !line.removed.has(run.key))
    .flatMap((run) =>
      (byKey.get(run.key) ?? []).filter(
        ({ thing }) =>
          thing.inCode === 'key' ||
          (thing.inCode === 'spelling' && (run.spelled === thing.spelled || isAddressed(text, run.spelled))),
      ),
    )
  const isInScope = ({ entry }: TurnedDown) =>
    entry.files_affected.length === 0 || entry.files_affected.some((pattern) => governs(pattern, line.file))
  return [...new Set(found)].filter(isInScope)
}

/** `REDIS_URL` and `redis://` address a service, even in lower case. */
const isAddressed = (text: string, name: string): boolean =>
  /^[\w-]+$/.test(name) &&
  (new RegExp(`(?<![A-Z0-9])${name}_[A-Z]`).test(text) || new RegExp(`\\b${name}s?://`, 'i').test(text))

const MARKUP = /\.(?:html?|vue|svelte|astro|hbs|ejs|erb|jinja2?|liquid|xml)$/
const TAKES_AWAY =
  /\b\w*(?:[rR]emove|[dD]rop|[dD]elete|[wW]ithout|[dD]isable|[uU]ninstall|[lL]egacy|[dD]eprecated|[bB]anned|[fF]orbidden)_?[A-Z_]\w*/g

/** A sentence in a multi-line string: five words without code characters. */
const SENTENCE =
  /^\s*(?!(?:export|import|public|private|protected|internal|class|interface|return|const|let|var|def|func|fn|use|using|from|async|static|final|abstract|type|struct|enum|module|namespace|package|new|throw|await|yield|select|insert|create|alter)\b)[\w"'(-]+(?:,? [\w"'()-]+){4,}[.,;:!?]?\s*$/i

/**
 * Removes quoted sentences and text between tags, which are for display, and names such as `removeRedis`, which add
 * nothing.
 */
function withoutProse({ file, text }: AddedLine): string {
  if (SENTENCE.test(text)) return ''
  const code = MARKUP.test(file) ? text.replaceAll(/>[^<]*(?=<|$)/g, '>').replace(/^[^<>]*$/, '') : text
  return code
    .replaceAll(/(["'`])(?=[^"'`]*\s)[^"'`]*\1/g, '""')
    .replace(/\s(?:\/\/|#) .*$/, '')
    .replaceAll(TAKES_AWAY, '')
}

/** Drops a superseded decision if its successor rejected the same thing and is already reported. */
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
