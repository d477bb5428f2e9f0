import { useMemo } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import type { Hit } from './use-hits.ts'

type Session = NonNullable<Calls['log']['output']['sessions']>[number]

// As many as one page of hits, so that the first request does not wait for it.
const LEAST = 40

/** Session facts by the path of their file; only if the files are on this machine. */
export function useSessionFacts(isDiary: boolean, count: number): (hit: Hit) => string | undefined {
  const { data } = useAnswer('log', { sessions: true, limit: Math.max(count, LEAST) }, { enabled: isDiary, keep: true })
  const byFile = useMemo(() => new Map((data?.sessions ?? []).map((one) => [fileOf(one.path), factWords(one)])), [data])
  return ({ path }) => byFile.get(fileOf(path))
}

const fileOf = (path: string): string => /[^/\\]+$/.exec(path)?.[0] ?? path

const MOST_FILES = 3

/** `changed src/a.ts, src/b.ts and 2 more · 3 commands, 1 failed · 12 min`. */
export function factWords({ done }: Pick<Session, 'done'>): string {
  const of = (kind: string) => done.facts.filter((fact) => fact.kind === kind)
  const changed = [...new Set(of('changed').map(({ what }) => what))]
  const commands = of('command')
  const failed = commands.filter(({ ok }) => ok === false).length
  const commits = of('commit').length
  const rest = changed.length - MOST_FILES
  return [
    changed.length > 0 && `changed ${changed.slice(0, MOST_FILES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    commits > 0 && `${commits} ${commits === 1 ? 'commit' : 'commits'}`,
    commands.length > 0 &&
      `${commands.length} ${commands.length === 1 ? 'command' : 'commands'}${failed > 0 ? `, ${failed} failed` : ''}`,
    done.minutes > 0 && `${done.minutes} min`,
    done.ended === 'interrupted' && 'interrupted',
    done.ended === 'unanswered' && 'unanswered',
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

/** `Thursday, 19 November 2026`, if the hit is the first of its day; undefined otherwise. */
export function dayHeading(hits: readonly Hit[], at: number): string | undefined {
  const day = dayOf(hits[at]!.modified)
  return at > 0 && dayOf(hits[at - 1]!.modified) === day ? undefined : day
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' })

function dayOf(at: string): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? at.slice(0, 10) : DAY.format(time)
}
