import { isPlainObject } from '../../../kernel/domain/input/read-value.ts'
import { withoutHidden } from '../../../kernel/domain/trust/visible.ts'
import { cutWhole } from './cut-whole.ts'

/** An issue or a pull request from any origin: the API, `gh … --json` or a migration archive. */
export interface GithubThread {
  /** `owner/name`, if known. */
  readonly repository: string
  readonly number: number
  readonly isPull: boolean
  readonly title: string
  readonly state: string
  readonly author: string
  readonly labels: readonly string[]
  readonly assignees: readonly string[]
  readonly milestone: string | undefined
  readonly createdAt: string
  readonly updatedAt: string
  readonly closedAt: string | undefined
  readonly mergedAt: string | undefined
  readonly mergeCommit: string | undefined
  /** `head → base` of a pull request. */
  readonly branches: string | undefined
  readonly url: string | undefined
  readonly body: string
  /** Issues that it closes, according to its text or GitHub. */
  readonly closes: readonly number[]
}

export interface GithubComment {
  readonly author: string
  readonly isBot: boolean
  readonly at: string
  /** `approved`, `changes requested`; for a comment on a line, its file. */
  readonly note: string | undefined
  readonly text: string
}

type Json = Readonly<Record<string, unknown>>

/** Undefined if the value is neither. Field names are those of the REST API or of `gh`. */
export function readGithubThread(value: unknown): GithubThread | undefined {
  if (!isPlainObject(value)) return undefined
  const link = words(value['html_url']) ?? words(value['url'])
  const place = PLACE.exec(link ?? '')
  const number = typeof value['number'] === 'number' ? value['number'] : Number(place?.[3])
  const [title, createdAt] = [words(value['title']), moment(value, 'created_at', 'createdAt')]
  if (title === undefined || createdAt === undefined || !Number.isSafeInteger(number) || number < 1) return undefined
  const pull = isPlainObject(value['pull_request']) ? value['pull_request'] : undefined
  const mergedAt = moment(value, 'merged_at', 'mergedAt') ?? (pull && moment(pull, 'merged_at'))
  const closedAt = moment(value, 'closed_at', 'closedAt')
  const body = typeof value['body'] === 'string' ? value['body'] : ''
  const isPull = pull !== undefined || place?.[2] === 'pull' || PULL_FIELDS.some((field) => field in value)
  const [head, base] = [branch(value['head'] ?? value['headRefName']), branch(value['base'] ?? value['baseRefName'])]
  return {
    repository: place?.[1] ?? '',
    number,
    isPull,
    title,
    state: stateOf(value, mergedAt, closedAt),
    author: login(value['user'] ?? value['author']),
    labels: list(value['labels']).flatMap(nameOf),
    assignees: list(value['assignees']).map(login).filter(Boolean),
    milestone: nameOf(value['milestone'])[0],
    createdAt,
    updatedAt: moment(value, 'updated_at', 'updatedAt') ?? closedAt ?? createdAt,
    closedAt,
    mergedAt,
    mergeCommit: mergedAt === undefined ? undefined : commit(value['merge_commit_sha'] ?? value['mergeCommit']),
    branches: isPull && head !== undefined && base !== undefined ? `${head} → ${base}` : undefined,
    url: link,
    body,
    closes: isPull ? closedIssues(body, value['closingIssuesReferences']) : [],
  }
}

/** A comment, a review, or a comment on a line; undefined for an empty review. */
export function readGithubComment(value: unknown): GithubComment | undefined {
  if (!isPlainObject(value)) return undefined
  const user = value['user'] ?? value['author']
  const text = typeof value['body'] === 'string' ? withoutComments(value['body']).trim() : ''
  const state = words(value['state'])?.toLowerCase().replaceAll('_', ' ')
  const verdict = state === 'approved' || state === 'changes requested' ? state : undefined
  if (text === '' && verdict === undefined) return undefined
  const who = login(user)
  const isBot = who.endsWith('[bot]') || (isPlainObject(user) && (user['type'] === 'Bot' || user['is_bot'] === true))
  const at = moment(value, 'created_at', 'createdAt', 'submitted_at', 'submittedAt') ?? ''
  return { author: who, isBot, at, note: verdict ?? words(value['path']), text }
}

/** `owner/name`, `issues` or `pull`, and the number. */
export const PLACE = /^https?:\/\/[^/]{1,255}\/([\w.-]{1,100}\/[\w.-]{1,100})\/(issues|pull)\/(\d{1,10})/

/** Pull requests that claim to close an issue, by `owner/name#number` of the issue. */
export function closersOf(
  threads: readonly Pick<GithubThread, 'repository' | 'number' | 'closes'>[],
): ReadonlyMap<string, readonly number[]> {
  const closers = new Map<string, number[]>()
  for (const { repository, number, closes } of threads)
    for (const issue of closes) {
      const key = `${repository}#${issue}`
      const known = closers.get(key)
      if (known === undefined) closers.set(key, [number])
      else known.push(number)
    }
  return closers
}

const PULL_FIELDS = ['mergedAt', 'merged_at', 'headRefName', 'mergeCommit', 'isDraft', 'head']
const LARGEST_BODY = 50_000
const LARGEST_COMMENT = 10_000
const LARGEST_PAGE = 100_000

/** The page of an issue or pull request. `closedBy` are pull requests that claim to close it. */
export function githubPage(
  thread: GithubThread,
  comments: readonly GithubComment[],
  closedBy: readonly number[],
): string {
  const numbers = (all: readonly number[]): string => all.map((number) => `#${number}`).join(', ')
  const facts = [
    `${thread.isPull ? 'Pull request' : 'Issue'} by ${thread.author || 'a deleted account'}, ${thread.state}`,
    `opened ${day(thread.createdAt)}`,
    thread.mergedAt !== undefined && `merged ${day(thread.mergedAt)}`,
    thread.mergeCommit !== undefined && `as ${thread.mergeCommit.slice(0, 12)}`,
    thread.mergedAt === undefined && thread.closedAt !== undefined && `closed ${day(thread.closedAt)}`,
    thread.branches,
  ].filter((fact) => typeof fact === 'string')
  const more = [
    thread.labels.length > 0 && `Labels: ${thread.labels.join(', ')}.`,
    thread.assignees.length > 0 && `Assigned to ${thread.assignees.join(', ')}.`,
    thread.milestone !== undefined && `Milestone: ${thread.milestone}.`,
    thread.closes.length > 0 && `Closes ${numbers(thread.closes)}.`,
    closedBy.length > 0 && `Closed by ${numbers(closedBy)}.`,
  ].filter((fact) => typeof fact === 'string')
  const body = cutWhole(withoutComments(thread.body).trim(), LARGEST_BODY)
  const text = [
    `# #${thread.number} ${oneLine(thread.title)}`,
    oneLine([`${facts.join(', ')}.`, ...more].join(' ')) + (thread.url === undefined ? '' : `\n<${thread.url}>`),
    ...(body === '' ? [] : [body]),
    ...commentLines(comments),
  ]
  return `${withoutHidden(text.join('\n\n'))}\n`
}

/** The beginning and the end are more informative than the middle. */
function commentLines(comments: readonly GithubComment[]): readonly string[] {
  const lines = comments
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ author, at, note, text }) => {
      const who = `**${author || 'a deleted account'}**, ${day(at)}${note === undefined ? '' : `, ${oneLine(note)}`}`
      return text === '' ? who : `${who}: ${cutWhole(text, LARGEST_COMMENT)}`
    })
  let length = 0
  const kept = new Set<number>()
  for (const at of lines.keys()) {
    const next = at % 2 === 0 ? at / 2 : lines.length - (at + 1) / 2
    length += lines[next]!.length
    if (length > LARGEST_PAGE) break
    kept.add(next)
  }
  const shown = lines.filter((_, at) => kept.has(at))
  const left = lines.length - shown.length
  const gap = left === 0 ? [] : [`(${left} more comments are left out here.)`]
  const middle = Math.ceil(shown.length / 2)
  return lines.length === 0 ? [] : ['## Comments', ...shown.slice(0, middle), ...gap, ...shown.slice(middle)]
}

function stateOf(value: Json, mergedAt: string | undefined, closedAt: string | undefined): string {
  if (mergedAt !== undefined) return 'merged'
  const told = words(value['state'])?.toLowerCase() ?? (closedAt === undefined ? 'open' : 'closed')
  const reason = (words(value['state_reason']) ?? words(value['stateReason']))?.toLowerCase().replaceAll('_', ' ')
  if (told === 'closed' && reason !== undefined && reason !== 'completed') return `closed as ${reason}`
  return told === 'open' && (value['draft'] === true || value['isDraft'] === true) ? 'draft' : told
}

function closedIssues(body: string, references: unknown): readonly number[] {
  const written = [...body.matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]{1,5}#(\d{1,9})\b/gi)]
  const told = list(references).flatMap((one) => (isPlainObject(one) ? [Number(one['number'])] : []))
  return [...new Set([...written.map(([, number]) => Number(number)), ...told])]
    .filter((number) => Number.isSafeInteger(number))
    .toSorted((a, b) => a - b)
}

/**
 * Templates hide their instructions in comments. Not a regular expression: it would search for the end of each comment
 * from its beginning.
 */
function withoutComments(text: string): string {
  let [kept, at] = ['', 0]
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    kept += text.slice(at, start)
    if (end < 0) return kept
    at = end + 3
  }
  return kept + text.slice(at)
}

const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const lastPart = (text: string): string => decoded(text.slice(text.lastIndexOf('/') + 1))
const login = (value: unknown): string =>
  typeof value === 'string' ? lastPart(value) : isPlainObject(value) ? (words(value['login']) ?? '') : ''
const nameOf = (value: unknown): readonly string[] => {
  const name = isPlainObject(value) ? (words(value['name']) ?? words(value['title'])) : words(value)
  return name === undefined ? [] : [typeof value === 'string' ? lastPart(name) : name]
}
const branch = (value: unknown): string | undefined => (isPlainObject(value) ? words(value['ref']) : words(value))
const commit = (value: unknown): string | undefined => (isPlainObject(value) ? words(value['oid']) : words(value))
const moment = (value: Json, ...fields: readonly string[]): string | undefined =>
  fields.map((field) => words(value[field])).find((at) => at !== undefined && /^\d{4}-\d\d-\d\d/.test(at))
const day = (at: string): string => at.slice(0, 10)
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
