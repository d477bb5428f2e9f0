import type { Origin } from '../domain/origin.ts'
import type { StopSignal } from '../domain/stop.ts'
import type { Clock } from './clock.ts'
import type { Projects } from './projects.ts'
import type { Redactor } from './redactor.ts'
import type { Settings } from './settings.ts'
import type { Telemetry } from './telemetry.ts'
import type { Workspaces } from './workspaces.ts'

/** One of several parallel parts of a long-running task. */
export interface ProgressPart {
  readonly name: string
  readonly done: number
  /** Undefined until it is known. */
  readonly total: number | undefined
  /** Last completed step. */
  readonly at: string
  /** Why the part failed. */
  readonly failed?: string
}

/** Properties of every call, on every surface. */
export interface Call {
  readonly clock: Clock
  /** Ken's version. */
  readonly version: string
  /** The caller, for the journal. */
  readonly origin: Origin
  /** Owner of the chats, stories and memories concerned. */
  readonly user: string
  /** The directory the call is about. */
  readonly cwd: string
  /** Redacts secrets from all input and output. */
  readonly redactor: Redactor
  readonly projects: Projects
  readonly settings: Settings
  /** Maps folders to workspaces; the only place that names workspaces. */
  readonly workspaces: Workspaces
  /** The working directory and the root of the working tree around it. */
  workspaceRoots(): readonly string[]
  /** Throws `unavailable` if the disk is too full to write. */
  checkRoom(): void
  readonly telemetry: Telemetry
  /** Cancels all work of the call, down to the database. */
  readonly signal?: StopSignal
  /** Prompts the person at the terminal; undefined in a script, a server or a pipe. */
  confirm?(question: string): Promise<boolean>
  /** Prompts the person at the terminal for a line, hidden for a secret; empty if they skip it. */
  ask?(question: string, how?: { readonly hidden: boolean }): Promise<string>
  /** Opens a text in the user's editor and returns the edited text; the name is for the title. */
  editText?(text: string, name: string): Promise<string>
  /**
   * Raw standard output, for data that a program reads; written unchanged. Undefined at a terminal, in a server, or if
   * the answer is requested as JSON.
   */
  pipe?(data: string | Uint8Array): Promise<void>
  /** Whether a person approved this particular call in the client that makes it. */
  readonly approved?: boolean
  /**
   * Reports the progress of long work: `done` of `total` (0 when unknown), and of each part if it has any. Must never
   * throw.
   */
  progress(message: string, done: number, total: number, parts?: readonly ProgressPart[]): void
}
