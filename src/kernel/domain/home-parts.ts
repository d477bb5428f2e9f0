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
  'state.db': KEPT('chats, stories, memories about you, feedback, test runs'),
  'index.db': DERIVED('the search index', 'rebuilt from the files'),
  'index.witness': DERIVED('checksum of the search index', 'rebuilt with it'),
  sessions: DERIVED('sessions of coding agents, without secrets', 'harvested again if the agent still has them'),
  memory: KEPT('your notes'),
  projects: KEPT('project records stored here'),
  records: KEPT('the end of each record, and unfinished writes'),
  models: DERIVED('downloaded embedding models', 'downloaded again'),
  cache: DERIVED('parsed records, built pages', 'rebuilt when needed'),
  contexts: KEPT('locks and state of context projects'),
  backups: KEPT('client files and records as they were before Ken changed them'),
  'agent-clients': DERIVED('working folders of answering agents', 'created again when needed'),
  apart: DERIVED('working folders of test runs', 'empty between runs'),
  'config.yml': KEPT('your settings and collections'),
  'trusted.yaml': KEPT('access you granted to projects'),
  'registry.json': KEPT('list of projects'),
  'telemetry.jsonl': DERIVED('local log of commands; nothing is sent', 'not needed'),
  'used.jsonl': DERIVED('last use of each session', 'eviction then uses age only'),
  'http-token': DERIVED('token of the HTTP server', 'a new one is created; the old one stops working'),
  'app.json': DERIVED('address of the running app', 'written at the next start'),
  'app-browsers.json': DERIVED('browsers signed in to the app', '`ken app` signs in again'),
  'hook-state': DERIVED(
    'what hooks reported in current sessions, and the last six messages of each for seven days',
    'created again when needed',
  ),
  locks: KEPT('locks of running processes'),
  'watch.json': DERIVED('state of `ken watch`', 'written at the next start'),
  'watch.log': DERIVED('log of `ken watch`', 'not needed'),
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
  return (Object.hasOwn(PARTS, name) ? PARTS[name] : undefined) ?? KEPT('not created by this version of Ken')
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
