import type { SessionKind } from '../domain/session/session.ts'

/** A harvested session as a file. */
export interface ArchivedSession {
  /** Below the archive, with forward slashes: `<workspace>/<date>-<slug>-<id>.md`. */
  readonly path: string
  /** The id at the end of the name, which (client, session) decide. */
  readonly fileId: string
  readonly bytes: number
  readonly client: string
  readonly session: string
  readonly kind: SessionKind
  readonly parent: string | null
  readonly title: string
  /** The folder that the client recorded; null where it recorded none. */
  readonly project: string | null
  /** ISO 8601. */
  readonly ended: string
}

/** The session files under `sessions/`. Files that Ken did not write are neither listed nor touched. */
export interface SessionArchive {
  /** Where it lies, absolute. */
  readonly root: string
  /** By path. */
  list(): Promise<readonly ArchivedSession[]>
  /** Undefined when there is no such file. */
  read(path: string): Promise<string | undefined>
  /** On disk when it resolves; nobody ever sees half of it. */
  write(path: string, text: string): Promise<void>
  /** Takes away what a killed writer left half-written, too, so nobody else may be writing. */
  remove(paths: readonly string[]): Promise<void>
  /** Bytes that may still be written to this disk; undefined where the system does not tell. */
  freeSpace(): Promise<number | undefined>
}
