import type { SessionKind } from '../domain/session/session.ts'

/** A harvested session as a file. */
export interface ArchivedSession {
  /** Below the archive, with forward slashes: `<workspace>/<date>-<slug>-<id>.md`. */
  readonly path: string
  /** The id at the end of the file name, derived from (client, session). */
  readonly fileId: string
  readonly bytes: number
  readonly client: string
  readonly session: string
  readonly kind: SessionKind
  readonly parent: string | null
  readonly title: string
  /** The folder that the client recorded; null if none. */
  readonly project: string | null
  /** ISO 8601. */
  readonly ended: string
}

/** The session files under `sessions/`. Files that Ken did not write are neither listed nor touched. */
export interface SessionArchive {
  /** Absolute path. */
  readonly root: string
  /** Sorted by path. */
  list(): Promise<readonly ArchivedSession[]>
  /** Undefined if the file does not exist. */
  read(path: string): Promise<string | undefined>
  /** Synced when it resolves; never visible half-written. */
  write(path: string, text: string): Promise<void>
  /** Also removes files left incomplete by a killed writer, so no other process may be writing. */
  remove(paths: readonly string[]): Promise<void>
  /** Free bytes on this disk; undefined if the system does not report it. */
  freeSpace(): Promise<number | undefined>
}
