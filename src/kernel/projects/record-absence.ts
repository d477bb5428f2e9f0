import { existsSync, lstatSync, opendirSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { readPlainFile } from '../system/plain-file.ts'
import { recordStateFolder } from '../system/record-state-folder.ts'

const LONGEST_JOURNAL = 64 * 1024 * 1024

/**
 * Why there is no record in a folder; undefined if there is one. A link or an unreadable folder is not reported here:
 * opening the record fails with the reason.
 */
export function recordAbsence(location: string, stateDir: string): 'gone' | 'emptied' | undefined {
  try {
    const root = lstatSync(location, { throwIfNoEntry: false })
    if (root === undefined) return 'gone'
    if (!root.isDirectory()) return undefined
    const names = readdirSync(location)
    if (names.includes('decisions') && holdsDecisions(join(location, 'decisions'))) return undefined
    if (!names.some((name) => name.endsWith('.md')) || hadDecisions(location, stateDir)) return 'emptied'
    // Another program may have begun a store and recorded nothing in it yet.
    return undefined
  } catch {
    return undefined
  }
}

function holdsDecisions(folder: string): boolean {
  if (!lstatSync(folder).isDirectory()) return true
  // Stops at the first decision: listing a folder of 100,000 takes 40 ms, and this runs on every call.
  const listing = opendirSync(folder)
  try {
    for (let found = listing.readSync(); found !== null; found = listing.readSync())
      if (found.name.endsWith('.md')) return true
    return false
  } finally {
    listing.closeSync()
  }
}

/**
 * Whether a record had decisions. They are never deleted, and Ken starts a record with one: a record that Ken wrote to
 * and that has none lost them.
 */
function hadDecisions(location: string, stateDir: string): boolean {
  const journal = readPlainFile(join(location, 'journal', 'events.jsonl'), LONGEST_JOURNAL)
  return journal === undefined
    ? existsSync(join(recordStateFolder(stateDir, realpathSync(location)), 'head.json'))
    : [...decisionStates(journal.toString('utf8')).values()].some((state) => state !== null)
}

/** The last journalled state of each decision: a hash, or null if a journalled change removed it. */
function decisionStates(journal: string): Map<string, unknown> {
  const states = new Map<string, unknown>()
  for (const line of journal.split('\n').filter((text) => text.includes('"decisions/'))) {
    for (const [path, state] of filesIn(line)) if (path.startsWith('decisions/')) states.set(path, state)
  }
  return states
}

function filesIn(line: string): [path: string, state: unknown][] {
  try {
    return Object.entries(JSON.parse(line)?.files ?? {})
  } catch {
    return []
  }
}
