import { mergeLines } from '../../kernel/domain/text/merge-lines.ts'
import { rewriteRefs } from './decision-refs.ts'
import { numbersAfter } from './decision/decision-id.ts'
import type { Decision } from './decision/decision.ts'
import { parseDecision } from './decision/parse.ts'
import { type DecisionChange, rewriteDecision } from './decision/rewrite.ts'
import { HASHES, QUESTIONS, decisionPath } from './files.ts'
import { conflictQuestion, keptFile } from './merge-conflict.ts'
import { mergeFile } from './merge-file.ts'
import { contradictions, decisionsOf, hashIndexOf, moveDecisions, numOf, renamed, stemsOf } from './merge.ts'
import type { Move, RecordFiles } from './merge.ts'
import { addQuestion, nextQuestionNumber, parseQuestions } from './question.ts'
import { inListOrder } from './record-path.ts'

export interface TeamVersions {
  /** Last common state of this machine and the team. */
  readonly base: RecordFiles
  readonly team: RecordFiles
  readonly local: RecordFiles
  /** The highest number ever assigned here; none of them is reused. */
  readonly highest?: number
}

export interface TeamMerge {
  readonly files: RecordFiles
  readonly renumbered: readonly { readonly from: string; readonly to: string }[]
  /** Questions for a person; each is among the open questions. */
  readonly asked: readonly string[]
}

/**
 * Merges this machine's separate changes with the team's current record. The team's numbers stay; a local decision with
 * the same number moves above all, and references to it follow. Nothing is lost: a text that cannot be merged is kept
 * in context/, anything that one side removed and the other used stays, and both cases become open questions.
 */
export function mergeTeam({ base, team, local, highest = 0 }: TeamVersions): TeamMerge {
  const { present, asked } = presence({ base, team, local })
  const here = Object.fromEntries(Object.entries(local).filter(([path]) => !(path in base) || present.has(path)))
  const moves = movesOf({ base, team, local: here, highest }, present)
  const moved = moveDecisions(base, here, moves)
  const files: Record<string, string> = {}
  for (const path of inListOrder(new Set([...Object.keys(team), ...Object.keys(moved)]))) {
    if (path in base && !present.has(path)) continue
    const [ours, theirs] = [team[path], moved[path]]
    const merged =
      ours === undefined || theirs === undefined
        ? { text: (ours ?? theirs)!, conflicts: [] }
        : mergedText(path, { base: base[path], ours, theirs })
    if (merged === undefined) asked.push(setAside(files, path, { stands: ours!, other: theirs! }))
    else {
      files[path] = merged.text
      asked.push(...merged.conflicts.map((sentence) => `${sentence}. Which holds?`))
    }
  }
  asked.push(...mendSupersession(files, base), ...newContradictions(files, team))
  askPeople(files, team, asked)
  if (files[HASHES] !== undefined) files[HASHES] = hashIndexOf(decisionsOf(files), files[HASHES])
  return { files, renumbered: moves.map(({ from, to }) => ({ from, to })), asked }
}

/** Paths that exist after the merge, and the questions that this raises. */
function presence({ base, team, local }: TeamVersions): { present: Set<string>; asked: string[] } {
  const present = new Set<string>()
  const asked: string[] = []
  const [named, namedHere] = [newReferences(base, team), newReferences(base, local)]
  for (const [path, before] of Object.entries(base)) {
    const kept = team[path] ?? local[path]
    if (kept === undefined) continue
    const isOnBoth = team[path] !== undefined && local[path] !== undefined
    const isNamed = (team[path] === undefined ? namedHere : named).has(numberOf(path))
    if (isOnBoth || kept !== before || isNamed) present.add(path)
    if (!isOnBoth && path !== HASHES && present.has(path))
      asked.push(`${path} was taken out on one machine and used or changed on another, so it stays. Should it go?`)
  }
  return { present, asked }
}

/** Numbers of decisions named in new lines. */
function newReferences(base: RecordFiles, side: RecordFiles): ReadonlySet<number> {
  const found = new Set<number>()
  for (const [path, text] of Object.entries(side)) {
    if (!path.endsWith('.md') || text === base[path]) continue
    const old = new Set((base[path] ?? '').split('\n'))
    rewriteRefs(text, (num, { line }) => {
      if (!old.has(line)) found.add(num)
      return num
    })
  }
  return found
}

const numberOf = (path: string): number => Number(/^decisions\/0*([0-9]+)-/.exec(path)?.[1] ?? NaN)

/** Moves of local decisions whose number the team used for another decision. */
function movesOf({ base, team, local, highest = 0 }: TeamVersions, present: ReadonlySet<string>): Move[] {
  const isThere = (stem: string) => !(decisionPath(stem) in base) || present.has(decisionPath(stem))
  const taken = new Set(stemsOf(team).filter(isThere).map(numOf))
  const next = numbersAfter([highest, ...[base, team, local].flatMap((files) => stemsOf(files).map(numOf))])
  return stemsOf(local)
    .filter((stem) => {
      const path = decisionPath(stem)
      const isOurs = team[path] === undefined || (base[path] === undefined && team[path] !== local[path])
      return isOurs && taken.has(numOf(stem))
    })
    .sort((a, b) => numOf(a) - numOf(b) || (a < b ? -1 : 1))
    .map((from) => {
      const newNum = next()
      return { from, to: renamed(from, newNum, local[decisionPath(from)]!), oldNum: numOf(from), newNum }
    })
}

function mergedText(
  path: string,
  { base, ours, theirs }: { base: string | undefined; ours: string; theirs: string },
): { text: string; conflicts: readonly string[] } | undefined {
  const merged = mergeFile(path, { base: base ?? '', ours, theirs, published: true })
  if (merged !== undefined || base === undefined || path === HASHES)
    return merged ?? (path === HASHES ? { text: ours, conflicts: [] } : undefined)
  const text = mergeLines(base, ours, theirs)
  return text === undefined || !isStillSound(path, text) ? undefined : { text, conflicts: [] }
}

function isStillSound(path: string, text: string): boolean {
  if (!path.startsWith('decisions/')) return true
  try {
    parseDecision(text, path.slice('decisions/'.length))
    return true
  } catch {
    return false
  }
}

/** Keeps the losing text in full in context/, and returns the question about both. */
function setAside(files: Record<string, string>, path: string, { stands, other }: { stands: string; other: string }) {
  const { kept, content } = keptFile(path, other)
  files[path] = stands
  files[kept] = content
  return conflictQuestion({ path, kept })
}

function newContradictions(files: RecordFiles, team: RecordFiles): string[] {
  const known = new Set(contradictions(decisionsOf(team)))
  return contradictions(decisionsOf(files)).filter((sentence) => !known.has(sentence))
}

/** Makes question numbers unique, keeping the team's numbers, then adds questions for a person on top. */
function askPeople(files: Record<string, string>, team: RecordFiles, asked: readonly string[]): void {
  if (files[QUESTIONS] === undefined && asked.length === 0) return
  let text = uniqueNumbers(files[QUESTIONS] ?? '', team[QUESTIONS] ?? '')
  const bodies = new Set(parseQuestions(text).map(({ body }) => body))
  for (const body of new Set(asked)) if (!bodies.has(body)) text = addQuestion(text, nextQuestionNumber(text), body)
  files[QUESTIONS] = text
}

function uniqueNumbers(text: string, published: string): string {
  const known = new Set(parseQuestions(published).map(({ id, body }) => `${id} ${body}`))
  const all = parseQuestions(text).filter(({ number }) => number !== undefined)
  const lines = text.split('\n')
  let next = nextQuestionNumber(text)
  for (const same of Map.groupBy(all, ({ number }) => number).values()) {
    const first = same.find(({ id, body }) => known.has(`${id} ${body}`)) ?? same[0]
    for (const question of same)
      if (question !== first) lines[question.from] = lines[question.from]!.replace(/\[Q0*[0-9]+\]/, `[Q${next++}]`)
  }
  return lines.join('\n')
}

/**
 * Makes supersessions consistent after two records were merged: if two decisions supersede the same decision, the
 * successor that it names wins; a decision whose successor is missing becomes active again. Returns the questions for a
 * person. Does not change decisions that neither side touched.
 */
function mendSupersession(files: Record<string, string>, base: RecordFiles): string[] {
  const asked: string[] = []
  const all = new Map([...decisionsOf(files)].map(([stem, decision]) => [decision.num, { stem, decision }]))
  const isTouched = (stem: string) => files[decisionPath(stem)] !== base[decisionPath(stem)]
  const change = (num: number, made: DecisionChange): void => {
    const { stem, decision } = all.get(num)!
    const content = rewriteDecision(decision, made)
    files[decisionPath(stem)] = content
    all.set(num, { stem, decision: reread(files, stem) ?? decision })
  }
  const numbers = [...all.keys()].sort((a, b) => a - b)
  for (const num of numbers) {
    const { decision, stem } = all.get(num)!
    if (decision.superseded_by !== null && !all.has(Number(decision.superseded_by)) && isTouched(stem))
      change(num, { status: 'active', superseded_by: null })
  }
  for (const num of numbers) {
    const { decision, stem } = all.get(num)!
    if (decision.supersedes === null) continue
    const old = all.get(Number(decision.supersedes))
    if (!isTouched(stem) && (old === undefined || !isTouched(old.stem))) continue
    if (old === undefined) change(num, { supersedes: null })
    else if (old.decision.superseded_by === null)
      change(old.decision.num, { status: 'superseded', superseded_by: String(num) })
    else if (Number(old.decision.superseded_by) !== num) {
      change(num, { supersedes: null })
      asked.push(
        `D${old.decision.superseded_by} and D${num} were both recorded to replace D${old.decision.num}, which names D${old.decision.superseded_by}. Which holds?`,
      )
    }
  }
  return asked
}

const reread = (files: RecordFiles, stem: string): Decision | undefined =>
  decisionsOf({ [decisionPath(stem)]: files[decisionPath(stem)]! }).get(stem)
