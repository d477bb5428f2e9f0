import { isPlainObject } from '../../../kernel/domain/input/read-value.ts'
import {
  closersOf,
  githubPage,
  PLACE,
  readGithubComment,
  readGithubThread,
  type GithubComment,
  type GithubThread,
} from './github-thread.ts'

export interface GithubExportRules {
  readonly repository: string | undefined
  readonly state: 'open' | 'closed' | 'all'
  readonly since?: string | undefined
  readonly bots: boolean
}

/**
 * Issues and pull requests among the objects of an export, as pages. `gh` writes comments into the issue, a migration
 * archive beside it. Undefined if there are none.
 */
export function readGithubExport(
  values: readonly unknown[],
  { repository, state, since = '', bots }: GithubExportRules,
): readonly { readonly thread: GithubThread; readonly text: string }[] | undefined {
  const comments = new Map<string, GithubComment[]>()
  const threads = new Map<string, GithubThread>()
  const add = (key: string, found: unknown): void => {
    const comment = readGithubComment(found)
    if (comment === undefined || (comment.isBot && !bots)) return
    const known = comments.get(key)
    if (known === undefined) comments.set(key, [comment])
    else known.push(comment)
  }
  for (const value of values) {
    if (!isPlainObject(value)) continue
    const kind = typeof value['type'] === 'string' ? value['type'] : ''
    const about = PLACE.exec(String(value['issue'] ?? value['pull_request'] ?? ''))
    if (/comment|review/.test(kind)) {
      if (about !== null) add(`${about[1]}#${about[3]}`, value)
      continue
    }
    const thread = /^(?:|issue|pull_request)$/.test(kind) ? readGithubThread(value) : undefined
    if (thread === undefined) continue
    const key = `${thread.repository}#${thread.number}`
    threads.set(key, thread)
    for (const field of ['comments', 'reviews'])
      for (const one of Array.isArray(value[field]) ? value[field] : []) add(key, one)
  }
  if (threads.size === 0) return undefined
  const closers = closersOf([...threads.values()])
  const isTaken = (thread: GithubThread): boolean =>
    (repository === undefined || thread.repository === '' || thread.repository === repository) &&
    (state === 'all' || (state === 'open') === /^(?:open|draft)$/.test(thread.state)) &&
    thread.updatedAt.slice(0, 10) >= since
  return [...threads]
    .filter(([, thread]) => isTaken(thread))
    .map(([key, thread]) => ({ thread, text: githubPage(thread, comments.get(key) ?? [], closers.get(key) ?? []) }))
}
