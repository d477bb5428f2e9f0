export interface HomePartFacts {
  readonly holds: string
  /** Safe to delete while Ken is not running. */
  readonly removable: boolean
  /** How the part is restored, or the loss if it cannot be. */
  readonly back?: string
}

const KEPT = (holds: string): HomePartFacts => ({ holds, removable: false })
const DERIVED = (holds: string, back: string): HomePartFacts => ({ holds, removable: true, back })

const PARTS: Readonly<Record<string, HomePartFacts>> = {
  'state.db': KEPT('chats, stories, what is remembered of you, feedback, runs of tests'),
  'index.db': DERIVED('the search index', 'made anew from the files'),
  'index.witness': DERIVED('a seal of the search index', 'made anew with it'),
  sessions: DERIVED('sessions of coding agents, without secrets', 'harvested again where the agent still has them'),
  memory: KEPT('your notes'),
  projects: KEPT('records of projects that live here'),
  records: KEPT('where each record ends, and writes under way'),
  models: DERIVED('embedding models that were pulled', 'pulled again'),
  cache: DERIVED('parsed records, built pages', 'made again when needed'),
  contexts: KEPT('locks and state of context projects'),
  backups: KEPT('client files and records as they were before Ken changed them'),
  'agent-clients': DERIVED('folders that coding agents answer from', 'made again when needed'),
  apart: DERIVED('what tests are tried in', 'empty between runs'),
  'config.yml': KEPT('your settings and collections'),
  'trusted.yaml': KEPT('what you allowed projects to reach'),
  'registry.json': KEPT('which projects there are'),
  'telemetry.jsonl': DERIVED('a local log of commands; nothing is sent', 'nobody misses it'),
  'used.jsonl': DERIVED('which sessions were used last', 'eviction then goes by age alone'),
  'http-token': DERIVED('the token of the HTTP server', 'another one is made; the old one opens nothing any more'),
  'app.json': DERIVED('where the app that runs is found', 'written by the next one'),
  'app-browsers.json': DERIVED('browsers that are signed in to the app', '`ken app` opens them again'),
  'hook-state': DERIVED(
    'what hooks reported in current sessions, and the last six messages of each for seven days',
    'made again when needed',
  ),
  locks: KEPT('who is at work'),
  'watch.json': DERIVED('how the watch stands', 'written by the next one'),
  'watch.log': DERIVED('what `ken watch` said', 'nobody misses it'),
}

/** Small files without an entry above: login addresses, shared items, SQL history. */
const SMALL = /^(?:\.gitignore|logins\.json|shares\.json|\w+[-_]history(?:\.\w+)?|index\.witness)$/

/** Whether Ken wrote an entry of its folder. */
export const isKenPart = (name: string): boolean => {
  const owner = ownerOf(name.replace(/\.lock$/, ''))
  return owner === LOCKS || Object.hasOwn(PARTS, owner) || SMALL.test(name)
}

/** Describes an entry of Ken's folder. Unknown entries are kept: they may be the user's. */
export function homePartFacts(name: string): HomePartFacts {
  return (Object.hasOwn(PARTS, name) ? PARTS[name] : undefined) ?? KEPT('not Ken’s, or of another version')
}

interface Part {
  readonly name: string
  readonly bytes: number
  readonly files: number
}

/** Merges the companion files of a database into it, and all locks into one line. */
export function foldedParts<P extends Part>(parts: readonly P[]): readonly P[] {
  const groups = Map.groupBy(parts, ({ name }) => ownerOf(name))
  return [...groups].map(([owner, group]) => ({
    ...(group.find(({ name }) => name === owner) ?? group[0]!),
    name: owner,
    bytes: group.reduce((sum, { bytes }) => sum + bytes, 0),
    files: group.reduce((sum, { files }) => sum + files, 0),
  }))
}

const LOCKS = 'locks'

function ownerOf(name: string): string {
  if (/^\.[\w-]+\.db(?:-(?:wal|shm|journal))?$/.test(name) || name === 'leases' || name === 'turns') return LOCKS
  return /^(.+\.db)-(?:wal|shm|journal)$/.exec(name)?.[1] ?? name
}
