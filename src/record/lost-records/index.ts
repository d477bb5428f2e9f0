import { createHash } from 'node:crypto'
import { lstatSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import { readPlainFile } from '../../kernel/system/plain-file.ts'
import { recordStateFolder } from '../../kernel/system/record-state-folder.ts'
import type { FoundRecord, LostRecords } from '../ports/lost-records.ts'
import { commitsWithRecord, commitNamed, readCommit } from './commit-copy.ts'
import { readFolder, type RecordCopy } from './folder-copy.ts'
import { knownPlaces, namedPlace, realPlace } from './places.ts'
import { moveAside, putInPlace } from './put-in-place.ts'

export interface LostRecordsOptions {
  /** KEN_HOME. */
  readonly home: string
  /** Other homes the user may have had: the default one, and nauro's. */
  readonly otherHomes: readonly string[]
  readonly clock: Clock
}

const HEAD = 'head.json'
const LARGEST_HEAD = 64 * 1024 * 1024

/** Finds records in folders and in git and restores them to their expected location on this machine. */
export function openLostRecords({ home, otherHomes, clock }: LostRecordsOptions): LostRecords {
  const stateOf = (project: RegisteredProject): string =>
    recordStateFolder(join(home, 'records'), realPlace(project.location))
  const aside = (project: RegisteredProject): string =>
    join(home, 'backups', `record-${project.id}-${clock.ulid().slice(0, 10)}`)

  function describe(kind: FoundRecord['kind'], at: string, copy: RecordCopy, project: RegisteredProject): FoundRecord {
    const { tips } = headIn(stateOf(project))
    const proof = copy.lines.some((line) => tips.includes(sha256(line))) ? 'journal' : copy.isNamed ? 'id' : 'none'
    return { kind, at, decisions: copy.decisions, changed: copy.changed, proof }
  }

  async function inCommit(project: RegisteredProject, commit: string): Promise<FoundRecord[]> {
    const copy = await readCommit(project, commit)
    return copy.decisions === 0 ? [] : [describe('commit', commit, copy, project)]
  }

  return {
    async find(project, { folders, commit }) {
      const named = folders.map((folder) => {
        const place = namedPlace(folder, project)
        return describe('folder', place.folder, readFolder(place), project)
      })
      if (commit !== undefined) named.push(...(await foundIn(project, await commitNamed(project, commit))))
      if (folders.length > 0 || commit !== undefined) return named
      const near = knownPlaces(project, { home, otherHomes })
        .map((place) => describe('folder', place.folder, readFolder(place), project))
        .filter(({ decisions }) => decisions > 0)
      const commits = await Promise.all((await commitsWithRecord(project)).map((one) => inCommit(project, one)))
      return [...near, ...commits.flat()]
    },
    lastSeen: (project) => headIn(stateOf(project)).lines,
    async bringBack(project, found) {
      const copy =
        found.kind === 'commit' ? await readCommit(project, found.at) : readFolder({ folder: found.at, isNamed: true })
      if (copy.decisions === 0) throw nothingThere(found.at)
      return putInPlace({ location: project.location, aside: aside(project) }, copy.files, clock)
    },
    async clear(project) {
      const moved = moveAside({ location: project.location, aside: aside(project) }, clock)
      const head = join(stateOf(project), HEAD)
      if (lstatSync(head, { throwIfNoEntry: false })?.isFile()) renameSync(head, `${head}.given-up-${clock.ulid()}`)
      return { aside: moved }
    },
  }

  async function foundIn(project: RegisteredProject, commit: string): Promise<FoundRecord[]> {
    const found = await inCommit(project, commit)
    if (found.length === 0) throw nothingThere(`commit ${commit.slice(0, 12)}`)
    return found
  }
}

/** End of the journal when this machine last saw the record. */
function headIn(folder: string): { tips: readonly string[]; lines: number | undefined } {
  try {
    const head = JSON.parse(readPlainFile(join(folder, HEAD), LARGEST_HEAD)?.toString('utf8') ?? '{}')
    const { tips, lines } = head?.seen?.journal ?? {}
    return { tips: Array.isArray(tips) ? tips : [], lines: typeof lines === 'number' ? lines : undefined }
  } catch {
    return { tips: [], lines: undefined }
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const nothingThere = (at: string): AppError =>
  new AppError('not_found', `No record with decisions in ${at}.`, {
    hint: 'Use a folder with `decisions/`, a Ken home, or a repository with .ken/record.',
  })
