import type { Calls } from '../../api/call.ts'

export type Source = Calls['source_list']['output']['sources'][number]

const OLD_MS = 7 * 24 * 60 * 60_000

/** Problem of a source: `bad` fails, `old` has not been checked for a week; undefined if there is no problem. */
export function sourceTrouble(
  source: Source,
  now: number,
  { isServed = false }: { readonly isServed?: boolean } = {},
): { readonly tone: 'bad' | 'old'; readonly why: string; readonly since: string | undefined } | undefined {
  const { key, problem, trusted, failing, checked, synced } = source
  if (problem !== undefined) return { tone: 'bad', why: problem, since: undefined }
  if (!trusted && !isServed)
    return { tone: 'bad', why: 'Reads data outside this folder. Review and trust it first.', since: undefined }
  // A server compiles nothing itself; a source it may not reach matters only if the analyst would query it.
  if (!trusted && key.startsWith('database/'))
    return { tone: 'bad', why: 'The server does not allow the analyst to query it.', since: undefined }
  if (failing !== undefined) return { tone: 'bad', why: failing.reason, since: failing.since }
  const last = checked ?? synced
  if (last === undefined) return { tone: 'old', why: 'Never synced.', since: undefined }
  return now - Date.parse(last) > OLD_MS
    ? { tone: 'old', why: 'Not synced for a week or more.', since: last }
    : undefined
}
