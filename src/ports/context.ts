import type { ChatEvent } from '../core/chat/event.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { GraphViewer } from '../core/graph/page.ts'
import type { Origin } from '../core/journal/event.ts'
import type { StopSignal } from '../core/stop.ts'
import type { Browsers } from './browsers.ts'
import type { ChartPainter } from './chart-painter.ts'
import type { ClientFiles } from './client-files.ts'
import type { Clock } from './clock.ts'
import type { CodeParser } from './code-parser.ts'
import type { Collections } from './collections.ts'
import type { ConfigFiles } from './config-files.ts'
import type { ContextDefinitions, ContextProject, ProposedTexts } from './context-project.ts'
import type { Embedder } from './embedder.ts'
import type { EvaluationState } from './evaluation-state.ts'
import type { Files } from './files.ts'
import type { LostRecords } from './lost-records.ts'
import type { Memory } from './memory.ts'
import type { ModelKeys } from './model-keys.ts'
import type { ModelShelf } from './model-shelf.ts'
import type { Models } from './models.ts'
import type { OptionalPackage } from './optional-package.ts'
import type { Oversight } from './oversight.ts'
import type { OwnHome } from './own-home.ts'
import type { WaitingChanges } from './page-changes.ts'
import type { PagePrinter } from './page-printer.ts'
import type { ParquetWriter } from './parquet-writer.ts'
import type { Projects, RegisteredProject } from './projects.ts'
import type { Recipient } from './recipients.ts'
import type { Redactor } from './redactor.ts'
import type { RepositoryHistory } from './repository-history.ts'
import type { Repository } from './repository.ts'
import type { RunningTurns } from './running-turns.ts'
import type { Scout } from './scout.ts'
import type { Settings } from './settings.ts'
import type { HeldLease } from './shared-lease.ts'
import type { Sharing } from './sharing.ts'
import type { Store } from './store.ts'
import type { TeamDesk } from './team-desk.ts'
import type { TeamLinks } from './team-links.ts'
import type { TeamMemory } from './team-memory.ts'
import type { Telemetry } from './telemetry.ts'
import type { TrustRecord } from './trust-record.ts'
import type { TurnScope } from './turn-scope.ts'
import type { UpkeepParts } from './upkeep-parts.ts'
import type { UserService } from './user-service.ts'
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

/** Put into a context, it is one whose chats, stories and memories nobody sees afterwards. */
export interface Apart extends Pick<Context, 'analystState' | 'turns' | 'storyLease' | 'stateEnvironment'> {
  close(): Promise<void>
}

/** When a record is wanted; now where nothing is named. */
export interface RecordMoment {
  readonly asOf: string | undefined
}

/** Everything an operation may touch. `src/app/open.ts` composes it; tests compose it from memory adapters. */
export interface Context {
  readonly clock: Clock
  /** Ken's own. */
  readonly version: string
  /** Who is calling, for the journal. */
  readonly origin: Origin
  /** The directory the call is about. */
  readonly cwd: string
  /** The absolute path that a caller means by `~/notes`, `./docs` or `docs`; nothing is looked up. */
  pathNamed(path: string): string
  readonly projects: Projects
  /**
   * The record of the named project, or of the one the working directory belongs to. Throws `not_found` with what to
   * do, and `disconnected` when the record should be there and is not. A project in hand is opened as it is, to start
   * its record. With `asOf` it is the record as it was then, to be read only: a date, a time, an age, a commit of the
   * repository around `cwd`, or a snapshot; throws `not_found` for what is none of them.
   */
  record(project?: string | RegisteredProject, at?: RecordMoment): Promise<Store>
  /** What binds records of this machine to those of teams. Loaded when first asked for. */
  teamLinks(): Promise<TeamLinks>
  /** Finds records that are missing and puts them back. Loaded when first asked for. */
  lostRecords(): Promise<LostRecords>
  /** The git repository around `cwd`; undefined outside of one. */
  repository(): Promise<Repository | undefined>
  /** Its past; whoever opens it closes it. Undefined outside of a repository. */
  repositoryHistory(): Promise<RepositoryHistory | undefined>
  /** Reads source files by their syntax. Opened when first asked for. */
  codeParser(): Promise<CodeParser>
  readonly files: Files
  /** Loaded when first asked for. */
  parquet(): Promise<ParquetWriter>
  /** Takes secrets out of text, on the way in and on the way out. */
  readonly redactor: Redactor
  /** Notes, sessions, documents and code, searched as one. Opened when first asked for. */
  memory(): Promise<Memory>
  readonly collections: Collections
  /**
   * What colleagues gave to the memory of a linked project; undefined where it has no team, the user does not want it
   * searched or nobody is logged in. Nothing goes over the network before it is asked. Absent where only one's own counts.
   */
  readonly teamMemory?: ((project: RegisteredProject) => Promise<TeamMemory | undefined>) | undefined
  /** What this machine shares with team servers, and the way there. Opened when first asked for. */
  sharing(): Promise<Sharing>
  /** The working directory and the root of the working tree around it. */
  workspaceRoots(): readonly string[]
  /** Whose a folder is: the one place that names workspaces. */
  readonly workspaces: Workspaces
  /**
   * Real paths of the folders that an agent may have indexed: repositories of known projects, and the one that the user
   * started the server in.
   */
  grantedRoots(): Promise<readonly string[]>
  /** What harvest and upkeep work with. Opened when first asked for. */
  upkeep(): Promise<UpkeepParts>
  /** `ken watch` as a service of the user. */
  userService(): Promise<UserService>
  /**
   * The context project around a folder, `cwd` when none is named. Throws `not_found` with what to do. With texts it is
   * the project that there would be if ken.yaml and .env said so.
   */
  contextProject(folder?: string, texts?: ProposedTexts): Promise<ContextProject>
  /** Changes ken.yaml and what belongs to it. */
  readonly configFiles: ConfigFiles
  /** Sees what could become a source. */
  readonly scout: Scout
  /** Every kind of source and database there is. Loaded when first asked for. */
  contextDefinitions(): Promise<ContextDefinitions>
  readonly trust: TrustRecord
  /** Whose chats, stories and memories the call is about. */
  readonly user: string
  /** Chats, stories, memories of the user, feedback. Opened when first asked for. */
  analystState(): Promise<EvaluationState>
  /** US dollars that models cost since a time: all of the user's, or everybody's in a project. */
  spent(query: { readonly since: string; readonly project?: string }): Promise<number>
  /** The analyst of a whole project; there is none on a machine. Who may ask what of it is for operations to decide. */
  oversight?(): Promise<Oversight>
  /** Turns of the analyst that are under way. */
  readonly turns: RunningTurns
  /** Loaded when first asked for. */
  charts(): Promise<ChartPainter>
  /** Loaded when first asked for. */
  pagePrinter(): Promise<PagePrinter>
  /** The right to refresh a story; undefined while another process has it. */
  storyLease(story: string): Promise<HeldLease | undefined>
  /** The analyst's state to try something out in: empty, and gone when it is closed. */
  apart(): Promise<Apart>
  /** What a server of Ken's own must find in its environment to know this state. */
  readonly stateEnvironment: Readonly<Record<string, string>>
  /** The turn of the analyst that this call is made in; none for a caller of its own. */
  readonly turn?: TurnScope
  /** Who hears asks the person before a call is made: the client of an agent has forms. */
  readonly asksPerson?: boolean
  /**
   * Hears what happens in the chat that the call is about, as it happens. Must never throw. Who tells of the past waits
   * for what it gives, so that a slow listener is not sent more than it takes; a turn that is under way does not.
   */
  hear?(event: ChatEvent): unknown
  /** Language model, reranker and embedder as the settings name them. */
  readonly models: Models
  /**
   * The embedder that comes with Ken, whatever the settings name: it sends nothing anywhere and gives the same vectors
   * on every machine. Undefined when embeddings are off.
   */
  bundledEmbedder(): Promise<Embedder | undefined>
  /** Everybody whom the settings have text sent to. */
  recipients(): Promise<readonly Recipient[]>
  /** Who may use the pages of the app that runs. Loaded when first asked for. */
  browsers(): Promise<Browsers>
  /** Calls from pages of the running app that wait for their code. Loaded when first asked for. */
  waitingChanges(): Promise<WaitingChanges>
  /** Ken's own folder. Loaded when first asked for. */
  ownHome(): Promise<OwnHome>
  /** The keys of model providers. */
  readonly modelKeys: ModelKeys
  /** The embedding models that can be brought to this machine. */
  modelShelf(): Promise<ModelShelf>
  readonly clients: ClientFiles
  /** Packages that may be left out, and whether they are there. */
  optionalPackages(): readonly OptionalPackage[]
  /** What brings the page of `ken graph` to life in a browser. */
  graphViewer(): Promise<GraphViewer>
  /** Shows a file in the browser of the person at this machine; says why where it cannot. */
  openInBrowser(path: string): Promise<{ readonly problem: string | undefined }>
  /** The command that starts Ken, to be written into client files: it must still work tomorrow and from any folder. */
  readonly launcher: readonly string[]
  readonly settings: Settings
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
  /** What opening a record had to settle and nobody was told yet, in Ken's own words; each once. */
  notices?(): readonly string[]
  /** Whether an operation is there at all; every one is where nothing says otherwise. */
  offers?(operation: string): boolean
  /**
   * Refuses what the caller may not do, before any of it is done; `input` is what the operation's schema made of it.
   * Gives what this operation works with in place of what stands here, so that of several at once each has its own.
   * There is none where the caller owns the machine.
   */
  permit?(operation: { readonly name: string }, input: Readonly<Record<string, unknown>>): Promise<Partial<Context>>
  /** People, projects and access of the team that is served; there is none on a machine. */
  readonly team?: TeamDesk
  /**
   * Runs the work of a call within what programs that it starts may take in all. There is none where no program is
   * started in a folder of the caller's.
   */
  within?<T>(operation: { readonly effect: 'read' | 'write' }, work: () => Promise<T>): Promise<T>
  /** Writes down that a call was made and what became of it. Never throws. There is none where the caller owns the machine. */
  audit?(
    operation: { readonly name: string; readonly effect: 'read' | 'write' },
    outcome: 'ok' | ErrorCode,
  ): Promise<void>
  /** True when a person said yes to this very call, in the client that makes it. */
  readonly approved?: boolean
  /**
   * Says how far long work is: `done` of `total` (0 when unknown), and each of its parts where it has some. Must never
   * throw.
   */
  progress(message: string, done: number, total: number, parts?: readonly ProgressPart[]): void
}
