import {
  type DecisionDraft,
  type QuestionDraft,
  readDecisionDraft,
  readQuestionDraft,
} from '../analyst/domain/feedback/captured-draft.ts'
import type { Draft } from '../analyst/domain/feedback/feedback.ts'
import { withoutRule, withRule, ruleFault, ruleLine } from '../analyst/domain/feedback/rules-file.ts'
import { readMemoryDraft } from '../analyst/domain/user-memory/memory-draft.ts'
import { supersededRow } from '../analyst/domain/user-memory/superseded-row.ts'
import type { UserMemories } from '../analyst/ports/user-memories.ts'
import type { ConfigFiles } from '../context/ports/config-files.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { operationNamed } from '../kernel/domain/named-operation.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { isUnfinishedTest, testFault, testFileName } from './domain/draft-test.ts'

/** Effects of applying a draft. */
export interface AppliedPlan {
  /** `RULES.md`, a file in `tests/`, `memory`, or `record`. */
  readonly where: string
  /** Empty if already applied. */
  readonly diff: string
  /** Hint for the person. */
  readonly note?: string
}

export interface ApplyParts {
  readonly files: ConfigFiles
  readonly memories: UserMemories
  readonly clock: Clock
  /** Folder of the context project that the draft is about. Throws if it no longer exists. */
  root(): Promise<string>
  /** Records a decision or a question and returns its number, such as D12. Throws if the record refuses it. */
  record(draft: DecisionDraft | QuestionDraft): Promise<string>
}

const RULES = 'RULES.md'
const MOST_OF_A_NAME = 50

/** Why a draft cannot be applied; undefined if it can. */
export function draftFault({ kind, body }: Pick<Draft, 'kind' | 'body'>): string | undefined {
  if (kind === 'rule') return ruleFault(body)
  if (kind === 'test') return testFault(body)
  if (kind === 'decision')
    return readDecisionDraft(body) === undefined ? 'A decision needs a title and a rationale.' : undefined
  if (kind === 'question')
    return readQuestionDraft(body) === undefined ? 'A question needs its text in `question`.' : undefined
  return readMemoryDraft(body) === undefined ? 'The memory is not what one looks like.' : undefined
}

/** Plans without writing. */
export async function planDraft(draft: Draft, parts: ApplyParts): Promise<AppliedPlan> {
  checkDraft(draft)
  if (draft.kind === 'memory') return { where: 'memory', diff: `+ ${readMemoryDraft(draft.body)!.content}` }
  if (isCaptured(draft)) return { where: 'record', diff: capturedDiff(draft) }
  const root = await parts.root()
  if (draft.kind === 'rule') {
    const now = await textAt(parts, root, RULES)
    return { where: RULES, diff: lineDiff(now ?? '', withRule(now, ruleLine(draft.body))) }
  }
  const where = await testPath(draft, parts, root)
  const isThere = (await textAt(parts, root, where)) === draft.body
  return {
    where,
    diff: isThere ? '' : lineDiff('', draft.body),
    ...(isUnfinishedTest(draft.body) && {
      note: `It does not say yet what is expected: correct it in the file, or before with ${operationNamed('inbox_edit')}.`,
    }),
  }
}

/** Applies the plan and returns the changed place; idempotent. */
export async function applyDraft(draft: Draft, { where }: AppliedPlan, parts: ApplyParts): Promise<string> {
  checkDraft(draft)
  if (draft.kind === 'memory') return remember(draft, parts)
  if (draft.kind === 'decision') return parts.record(readDecisionDraft(draft.body)!)
  if (draft.kind === 'question') return parts.record(readQuestionDraft(draft.body)!)
  const root = await parts.root()
  return parts.files.changeText(root, where, (now) => {
    if (draft.kind === 'rule') {
      const text = withRule(now, ruleLine(draft.body))
      return { result: where, ...(text !== now && { write: text }) }
    }
    if (now !== undefined && now !== draft.body) throw changed(where)
    return { result: where, ...(now === undefined && { write: draft.body }) }
  })
}

/** Undoes an applied draft; false if it is already gone. Throws `conflict` if it was changed since. */
export async function unapplyDraft(draft: Draft, parts: ApplyParts): Promise<boolean> {
  const where = draft.settled?.where ?? ''
  if (draft.kind === 'memory') {
    const id = where.replace(/^memory /, '')
    const row = await parts.memories.find(id, draft.user)
    if (row === undefined || row.forgottenAt !== undefined) return false
    await parts.memories.apply(draft.user, [{ kind: 'forget', id, at: parts.clock.now().toISOString(), revive: true }])
    return true
  }
  if (isCaptured(draft))
    throw new AppError('conflict', `It is in the record as ${where}.`, {
      hint: '`ken undo` removes the last change of the record; `ken supersede` replaces a decision.',
    })
  const root = await parts.root()
  return parts.files.changeText<boolean>(root, where, (now) => {
    if (draft.kind === 'rule') {
      const text = withoutRule(now ?? '', ruleLine(draft.body))
      return { result: text !== undefined, ...(text !== undefined && { write: text }) }
    }
    if (now !== undefined && now !== draft.body) throw changed(where)
    return { result: now !== undefined, ...(now !== undefined && { write: null }) }
  })
}

const isCaptured = ({ kind }: Draft): boolean => kind === 'decision' || kind === 'question'

function capturedDiff({ kind, body }: Draft): string {
  if (kind === 'question') return `+ ${readQuestionDraft(body)!.question}`
  const { title, rejected, supersedes } = readDecisionDraft(body)!
  return [
    `+ ${title}`,
    ...rejected.map(({ alternative }) => `+ Rejected: ${alternative}`),
    ...(supersedes === undefined ? [] : [`- ${supersedes} is superseded`]),
  ].join('\n')
}

function checkDraft(draft: Draft): void {
  const fault = draftFault(draft)
  if (fault === undefined) return
  throw new AppError('invalid_input', fault, { hint: `Set it with ${operationNamed('inbox_edit')}.` })
}

async function remember(draft: Draft, { memories, clock }: ApplyParts): Promise<string> {
  const { category, content, evidence, scope } = readMemoryDraft(draft.body)!
  const at = clock.now().toISOString()
  const active = await memories.active(draft.user, draft.project)
  const same = active.find((row) => row.content === content)
  if (same !== undefined) return `memory ${same.id}`
  const id = clock.ulid()
  const { words, chat, message, source } = evidence
  const row = {
    id,
    user: draft.user,
    ...(scope === 'project' && { project: draft.project }),
    category,
    content,
    evidence: {
      words,
      ...(chat !== undefined && { chat }),
      ...(message !== undefined && { message }),
      ...(source !== undefined && { source }),
    },
    createdAt: at,
    updatedAt: at,
  }
  const older = supersededRow(row, active)
  await memories.apply(draft.user, [{ kind: 'add', row, ...(older !== undefined && { supersedes: older.id }) }])
  return `memory ${id}`
}

/** A separate file: an existing one with other content belongs to a person. */
async function testPath({ body }: Draft, parts: ApplyParts, root: string): Promise<string> {
  const name = testFileName(body).replace(/\.yaml$/, '')
  for (let number = 1; number < MOST_OF_A_NAME; number++) {
    const path = `tests/${name}${number === 1 ? '' : `-${number}`}.yaml`
    const now = await textAt(parts, root, path)
    if (now === undefined || now === body) return path
  }
  throw new AppError('conflict', `Too many tests named ${name}.`, {
    hint: `Rename it with ${operationNamed('inbox_edit')}.`,
  })
}

const textAt = ({ files }: ApplyParts, root: string, path: string): Promise<string | undefined> =>
  files.changeText(root, path, (now) => ({ result: now }))

const changed = (where: string): AppError =>
  new AppError('conflict', `${where} was changed since.`, { hint: 'Change it by hand.' })

/** Lines of context around a change. */
const AROUND = 2

/** Changes to a text, as lines with `-` and `+` and some context; empty if there are none. */
function lineDiff(before: string, after: string): string {
  if (before === after) return ''
  const [old, now] = [linesOf(before), linesOf(after)]
  let first = 0
  while (first < old.length && first < now.length && old[first] === now[first]) first++
  let last = 0
  while (last < old.length - first && last < now.length - first && old.at(-1 - last) === now.at(-1 - last)) last++
  return [
    ...old.slice(Math.max(0, first - AROUND), first).map((line) => `  ${line}`),
    ...old.slice(first, old.length - last).map((line) => `- ${line}`),
    ...now.slice(first, now.length - last).map((line) => `+ ${line}`),
    ...old.slice(old.length - last, old.length - last + AROUND).map((line) => `  ${line}`),
  ]
    .map((line) => line.trimEnd())
    .join('\n')
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))
