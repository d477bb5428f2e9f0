import { findCandidates } from '../src/memory/domain/session/candidates.ts'
import { sessionFacts, type FactKind } from '../src/memory/domain/session/facts.ts'
import { archivedTurns, readCaptureSet, type LabelledEnd, type LabelledSession } from './capture/read-set.ts'
import type { Figure } from './suite.ts'

const HALVES = [
  { half: 'tuned', file: 'tuning' },
  { half: 'kept back', file: 'held-out' },
] as const
/** Turns between a candidate and the labelled place, which may be the next turn of the user. */
const NEAR = 2

/** Measures the facts and candidates of labelled sessions, by rules alone. */
export function captureFigures(): Figure[] {
  return HALVES.flatMap(({ half, file }): Figure[] => {
    const sessions = readCaptureSet(file)
    const at = { half, better: 'higher' } as const
    const facts = Object.entries(FACTS).map(([measure, compare]): Figure => {
      const exact = sessions.filter((session) => compare(session)).length
      return { set: 'facts of a session', ...at, measure, value: exact, of: sessions.length }
    })
    const ends = (['decision', 'question'] as const).flatMap((kind): Figure[] => {
      const { found, right, wanted } = tally(sessions, kind)
      const set = `${kind} candidates`
      return [
        { set, ...at, measure: 'precision', value: found === 0 ? 0 : right / found },
        { set, ...at, measure: 'recall', value: wanted === 0 ? 0 : right / wanted },
      ]
    })
    const injected = sessions.filter(({ labels }) => labels.kinds.includes('injection'))
    const reached = injected.filter((session) => findCandidates(archivedTurns(session)).length > 0).length
    const from = {
      set: 'injected text',
      half,
      measure: 'sessions with a candidate',
      value: reached,
      of: injected.length,
    }
    return [...facts, ...ends, { ...from, better: 'lower' }]
  })
}

const sorted = (names: readonly string[]): string => [...new Set(names)].toSorted().join('\n')
const named = (session: LabelledSession, kind: FactKind): string[] =>
  sessionFacts(archivedTurns(session)).facts.flatMap((fact) => (fact.kind === kind ? [fact.what] : []))
const setOf =
  (kind: FactKind, want: (facts: LabelledSession['labels']['facts']) => readonly string[]) =>
  (session: LabelledSession): boolean =>
    sorted(named(session, kind)) === sorted(want(session.labels.facts))

const FACTS: Readonly<Record<string, (session: LabelledSession) => boolean>> = {
  'files changed': setOf('changed', (facts) => facts.files_changed),
  'files read': setOf('read', (facts) => facts.files_read),
  'packages added': setOf('added', (facts) => facts.packages_added),
  'packages removed': setOf('removed', (facts) => facts.packages_removed),
  commits: setOf('commit', (facts) => facts.commits.map(({ subject }) => subject)),
  'tests fixed': setOf('tests', (facts) => facts.tests_fixed),
  'commands with outcome': (session) =>
    sessionFacts(archivedTurns(session))
      .facts.flatMap(({ kind, what, ok }) => (kind === 'command' ? [`${what} ${ok}`] : []))
      .join('\n') ===
    session.labels.facts.commands.map(({ command, ok }) => `${command.replace(/\s+/g, ' ').trim()} ${ok}`).join('\n'),
}

/** Candidates at or near a labelled place; each place counts once, an optional one not at all. */
function tally(sessions: readonly LabelledSession[], kind: 'decision' | 'question') {
  let [found, right, wanted] = [0, 0, 0]
  for (const session of sessions) {
    const labelled = kind === 'decision' ? session.labels.decisions : session.labels.questions
    const left = new Set<LabelledEnd>(labelled)
    wanted += labelled.filter(({ optional }) => optional !== true).length
    for (const candidate of findCandidates(archivedTurns(session)).filter((one) => one.kind === kind)) {
      const turn = session.turns.findIndex(({ at }) => at === candidate.at)
      const near = (most: number) => [...left].find((one) => Math.abs(one.turn - turn) <= most)
      const hit = near(0) ?? near(NEAR)
      if (hit !== undefined) left.delete(hit)
      if (hit?.optional === true) continue
      found += 1
      if (hit !== undefined) right += 1
    }
  }
  return { found, right, wanted }
}
