import type { AppError } from '../../kernel/domain/errors.ts'
import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { Redacted } from '../../kernel/ports/redactor.ts'
import type { ContextConfig } from '../domain/context-project/config.ts'
import type { JudgedReach } from '../domain/context-project/reach.ts'
import type { ContextFiles } from './context-files.ts'
import type { ContextTree } from './context-tree.ts'
import type { Source, SourceDefinition } from './source.ts'
import type { Template, Templates } from './templates.ts'
import type { ToolServers } from './tool-servers.ts'
import type { Warehouse, WarehouseDefinition } from './warehouse.ts'

/**
 * A source as ken.yaml names it. Opening it may fail; the others go on. Throws `forbidden` for one that the user does
 * not trust.
 */
export interface SourceEntry {
  /** Kind and name, e.g. `database/shop`: what the manifest and the frontmatter call it. */
  readonly key: string
  /** What people call it on the command line. */
  readonly name: string
  /** What is wrong with it whoever trusts it, a slip or a file that is not there; nothing is opened. */
  fault(): AppError | undefined
  /** The signal reaches as far as the engine of a database. */
  open(signal?: StopSignal): Promise<Source>
}

/** Every kind of source and database there is. */
export interface ContextDefinitions {
  readonly sources: readonly SourceDefinition[]
  readonly warehouses: readonly WarehouseDefinition[]
}

/** What ken.yaml and .env would say. */
export interface ProposedTexts {
  readonly yaml: string
  readonly env: string
}

/** One folder with a ken.yaml. */
export interface ContextProject {
  /** Links followed. */
  readonly root: string
  readonly config: ContextConfig
  readonly tree: ContextTree
  readonly files: ContextFiles
  readonly templates: Templates
  readonly sources: readonly SourceEntry[]
  /** Tools of others, for the analyst; each server is opened when its tools are first asked for. */
  readonly toolServers: ToolServers
  /**
   * Files and folders of this machine that it is compiled from: ken.yaml, .env, and those of the sources that may be
   * opened.
   */
  places(): readonly string[]
  /** Templates that people wrote beside the context, by path; never one that was synced. */
  userTemplates(owned: ReadonlySet<string>): Promise<readonly Template[]>
  /** What the entries of ken.yaml reach beyond the project as it stands now; entries that stay inside are left out. */
  reach(): readonly JudgedReach[]
  /**
   * Opened when first asked for and shared from then on. Throws `not_found` for a name that ken.yaml does not have,
   * `forbidden` without trust.
   */
  warehouse(name: string): Promise<Warehouse>
  /** Takes out secrets by rule, and the values that ken.yaml and its environment hold. */
  redact(text: string): Promise<Redacted>
  /** Keeps the full result of a query under its id. */
  keepResult(id: string, text: string): Promise<void>
  /** What is kept under an id; undefined when nothing is, or it is older than an hour. */
  keptResult(id: string): Promise<string | undefined>
  close(): Promise<void>
}
