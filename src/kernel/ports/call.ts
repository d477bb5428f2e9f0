import type { Origin } from '../domain/origin.ts'
import type { StopSignal } from '../domain/stop.ts'
import type { Clock } from './clock.ts'
import type { Projects } from './projects.ts'
import type { Redactor } from './redactor.ts'
import type { Settings } from './settings.ts'
import type { Telemetry } from './telemetry.ts'
import type { Workspaces } from './workspaces.ts'

/** One of several things that long work goes through side by side. */
export interface ProgressPart {
  readonly name: string
  readonly done: number
  /** Undefined until it is known. */
  readonly total: number | undefined
  /** What was done last. */
  readonly at: string
  /** Why nothing more comes of it. */
  readonly failed?: string
}

/** What every call has, wherever it comes from. */
export interface Call {
  readonly clock: Clock
  /** Ken's own. */
  readonly version: string
  /** Who is calling, for the journal. */
  readonly origin: Origin
  /** Whose chats, stories and memories the call is about. */
  readonly user: string
  /** The directory the call is about. */
  readonly cwd: string
  /** Takes secrets out of text, on the way in and on the way out. */
  readonly redactor: Redactor
  readonly projects: Projects
  readonly settings: Settings
  /** Whose a folder is: the one place that names workspaces. */
  readonly workspaces: Workspaces
  /** The working directory and the root of the working tree around it. */
  workspaceRoots(): readonly string[]
  /** Throws `unavailable` where the disk is too full for anything to be written. */
  checkRoom(): void
  readonly telemetry: Telemetry
  /** Stops what the call has under way, down to the database. */
  readonly signal?: StopSignal
  /** Asks the person at the terminal; there is none in a script, a server or a pipe. */
  confirm?(question: string): Promise<boolean>
  /** Has the person at the terminal type a line, hidden for a secret; empty when they leave it out. */
  ask?(question: string, how?: { readonly hidden: boolean }): Promise<string>
  /** Opens a text in the editor of the person at the terminal and gives what they made of it; the name is for the title. */
  editText?(text: string, name: string): Promise<string>
  /**
   * Standard output as it is, for data that a program reads: nothing in it is changed. There is none at a terminal, in a
   * server, or where the answer is wanted as JSON.
   */
  pipe?(data: string | Uint8Array): Promise<void>
  /** True when a person said yes to this very call, in the client that makes it. */
  readonly approved?: boolean
  /**
   * Says how far long work is: `done` of `total` (0 when unknown), and each of its parts where it has some. Must never
   * throw.
   */
  progress(message: string, done: number, total: number, parts?: readonly ProgressPart[]): void
}
