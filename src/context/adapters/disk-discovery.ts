import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { closeMatch } from '../../kernel/domain/close-match.ts'
import { readPlainFile, READ_PLAIN } from '../../kernel/system/plain-file.ts'
import type { FoundName, SourceDiscovery, Seen } from '../ports/source-discovery.ts'

const HEAD_BYTES = 64
const MOST_NAMES = 5_000

/** Discovery on the files and folders of this machine, and in Ken's environment. */
export function openDiskDiscovery(environment: Readonly<Record<string, string | undefined>>): SourceDiscovery {
  return {
    look: async (path) => look(path),
    entries: async (folder) => entriesOf(folder),
    text: async (path, most) => readPlainFile(path, most)?.toString('utf8'),
    async near(path) {
      const names = namesIn(dirname(path))
      return closeMatch(basename(path), names)
    },
    variable: (name) => environment[name],
    variableNames: () => Object.keys(environment),
  }
}

function look(path: string): Seen | undefined {
  try {
    const place = realpathSync.native(path)
    const found = statSync(place)
    if (found.isDirectory()) return { is: 'folder', place, bytes: 0, head: '', names: namesIn(place) }
    return found.isFile() ? { is: 'file', place, bytes: found.size, head: headOf(place), names: [] } : undefined
  } catch {
    return undefined
  }
}

function headOf(place: string): string {
  const file = openSync(place, READ_PLAIN)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    return fstatSync(file).isFile() ? head.toString('latin1', 0, readSync(file, head, 0, HEAD_BYTES, 0)) : ''
  } finally {
    closeSync(file)
  }
}

function entriesOf(folder: string): readonly FoundName[] {
  try {
    const found = readdirSync(folder, { withFileTypes: true }).slice(0, MOST_NAMES)
    return found.flatMap((entry): FoundName[] => {
      if (entry.isSymbolicLink())
        return [{ name: entry.name, is: 'link', leadsTo: realPlace(join(folder, entry.name)) }]
      return entry.isFile() || entry.isDirectory() ? [{ name: entry.name, is: entry.isFile() ? 'file' : 'folder' }] : []
    })
  } catch {
    return []
  }
}

function realPlace(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MOST_NAMES)
  } catch {
    return []
  }
}
