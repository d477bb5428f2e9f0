import type { HarvestedSession } from '../../src/memory/domain/session/session.ts'
import type { HarvestEvent } from '../../src/memory/ports/harvester.ts'

/** An `expected.json`: every key it lists is compared; every other key must be absent, empty or zero. */
export interface ExpectedHome {
  readonly client: string
  readonly root: string
  readonly sessions: readonly ExpectedSession[]
  readonly [key: string]: unknown
}

interface ExpectedSession {
  readonly id: string
  readonly compactionSummaries?: readonly { readonly at: string; readonly textContains: string }[]
  readonly [key: string]: unknown
}

/** The harvest in the form of the expectation: equal to it exactly if everything listed is right. */
export function asExpected(events: readonly HarvestEvent[], expected: ExpectedHome): unknown {
  const sessions = events.flatMap((event) => (event.kind === 'session' ? [event.session] : []))
  const skipped = events.flatMap((event) => (event.kind === 'skipped' ? [event] : []))
  const empty = skipped.filter((skip) => skip.why === 'empty').map((skip) => skip.path)
  const order = new Map(expected.sessions.map((session, i) => [session.id, i]))
  const ordered = [...sessions].sort((a, b) => (order.get(a.id) ?? Infinity) - (order.get(b.id) ?? Infinity))
  return {
    ...expected,
    client: sessions[0]?.client,
    sessions: ordered.map((session) => sessionAsExpected(session, expected.sessions[order.get(session.id) ?? -1])),
    ...('skippedFiles' in expected ? { skippedFiles: empty } : {}),
    ...('skippedSessions' in expected
      ? { skippedSessions: empty.map((path) => path.replace(/^.*\/|\.json$/g, '')) }
      : {}),
    ...('badFiles' in expected ? { badFiles: skipped.filter((skip) => skip.why === 'damaged').length } : {}),
  }
}

function sessionAsExpected(session: HarvestedSession, expected: ExpectedSession | undefined): unknown {
  if (expected === undefined) return session
  const found: Record<string, unknown> = {
    ...session,
    compressed: session.files.some((file) => file.endsWith('.zst')),
    compactionSummaries: session.compactionSummaries.map(({ at, text }, i) => {
      const words = expected.compactionSummaries?.[i]?.textContains
      return { at, textContains: words !== undefined && text.includes(words) ? words : text }
    }),
  }
  // Notes and the directory behind a hash cannot be derived from the session, so they are taken as expected.
  const listed = Object.keys(expected).map((key) => [
    key,
    key === 'note' || key === 'projectDirIfKnown' ? expected[key] : found[key],
  ])
  const unlisted = [
    'abandonedTurns',
    'compactionSummaries',
    'archived',
    'compressed',
    'badLines',
    'partialTail',
  ].filter((key) => !(key in expected))
  const surprising = unlisted.filter((key) => (Array.isArray(found[key]) ? found[key].length > 0 : Boolean(found[key])))
  return Object.fromEntries([...listed, ...surprising.map((key) => [key, found[key]])])
}
