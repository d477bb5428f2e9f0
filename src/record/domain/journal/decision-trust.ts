import { isOfPerson, type Origin } from '../../../kernel/domain/origin.ts'
import { movesIn } from './decision-identity.ts'
import type { JournalEvent } from './event.ts'

/**
 * The stems of decisions that an agent recorded or changed and no person has accepted since. `events` must be ordered
 * oldest first.
 */
export function followProposals(proposed: Set<string>, events: Iterable<JournalEvent>): Set<string> {
  for (const event of events) follow(proposed, event)
  return proposed
}

/** Surfaces used by programs; a person may never have seen these changes. */
const BY_AGENTS: Readonly<Record<Origin['surface'], boolean>> = {
  cli: false,
  app: false,
  editor: false,
  'mcp-stdio': true,
  'mcp-http': true,
  http: true,
  merge: false,
  repair: false,
  import: false,
  recovery: false,
}

function follow(proposed: Set<string>, { operation, origin, facts, files }: JournalEvent): void {
  // The first change, by a person or an agent, adopts a foreign record unchanged.
  if (operation === 'adopt') return
  // An unknown origin is not a person.
  if (!(origin !== undefined && isOfPerson(origin)) && (BY_AGENTS[origin?.surface] ?? true)) {
    // Skips a superseded target, because only its status changed; an updated decision is its own target.
    for (const stem of decisionsIn(files))
      if (stem !== facts?.['target'] || stem === facts['decision']) proposed.add(stem)
    if (facts?.['approved'] === true) drop(proposed, [facts['decision']])
    return
  }
  if (operation === 'accept') drop(proposed, facts?.['decisions'])
  if (operation === 'undo') {
    drop(proposed, facts?.['accepted'])
    for (const stem of listed(facts?.['proposed'])) proposed.add(stem)
  }
  if (operation === 'propose_decision' || operation === 'supersede_decision') drop(proposed, [facts?.['decision']])
  for (const { from, to } of movesIn(facts?.['renumbered'])) if (proposed.delete(from)) proposed.add(to)
}

const decisionsIn = (files: JournalEvent['files']): string[] =>
  Object.entries(files).flatMap(([path, hash]) =>
    hash === null ? [] : (/^decisions\/(.+)\.md$/.exec(path)?.[1] ?? []),
  )

function drop(proposed: Set<string>, stems: unknown): void {
  for (const stem of listed(stems)) proposed.delete(stem)
}

const listed = (stems: unknown): string[] => (Array.isArray(stems) ? stems.map(String) : [])
