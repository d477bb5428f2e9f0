import type { AppError } from '../../kernel/domain/errors.ts'
import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { Redacted } from '../../kernel/ports/redactor.ts'
import type { ContextConfig } from '../domain/context-project/config.ts'
import type { JudgedReach } from '../domain/context-project/reach.ts'
import type { ColumnValues } from './column-values.ts'
import type { ContextFiles } from './context-files.ts'
import type { ContextTree } from './context-tree.ts'
import type { Source, SourceDefinition } from './source.ts'
import type { Template, Templates } from './templates.ts'
import type { ToolServers } from './tool-servers.ts'
import type { Warehouse, WarehouseDefinition } from './warehouse.ts'

/**
 * Source as configured in ken.yaml. Opening it may fail without affecting the others. Throws `forbidden` if the user
 * does not trust it.
 */
export interface SourceEntry {
  /** Kind and name, e.g. `database/shop`, as used in the manifest and the frontmatter. */
  readonly key: string
  /** Name on the command line. */
  readonly name: string
  /** Problem independent of trust, such as a typo or a missing file; opens nothing. */
  fault(): AppError | undefined
  /** The signal also cancels work in the engine of a database. */
  open(signal?: StopSignal): Promise<Source>
}

/** All kinds of sources and databases. */
export interface ContextDefinitions {
  readonly sources: readonly SourceDefinition[]
  readonly warehouses: readonly WarehouseDefinition[]
}

/** Proposed ken.yaml and .env. */
export interface ProposedTexts {
  readonly yaml: string
  readonly env: string
}

/** One folder with a ken.yaml. */
export interface ContextProject {
  /** Links are resolved. */
  readonly root: string
  readonly config: ContextConfig
  readonly tree: ContextTree
  readonly files: ContextFiles
  readonly values: ColumnValues
  readonly templates: Templates
  readonly sources: readonly SourceEntry[]
  /** Third-party tools for the analyst; each server is started when its tools are first requested. */
  readonly toolServers: ToolServers
  /** Local files and folders it is compiled from: ken.yaml, .env, and those of the sources that may be opened. */
  places(): readonly string[]
  /** Templates that people wrote beside the context, by path; never a synced one. */
  userTemplates(owned: ReadonlySet<string>): Promise<readonly Template[]>
  /**
   * Resources that the entries of ken.yaml currently reach beyond the project; entries that stay inside are left out.
   */
  reach(): readonly JudgedReach[]
  /**
   * Opened on first use and then shared. Throws `not_found` for a name that ken.yaml does not have, `forbidden` without
   * trust.
   */
  warehouse(name: string): Promise<Warehouse>
  /** Redacts secrets by rule, and the values in ken.yaml and its environment. */
  redact(text: string): Promise<Redacted>
  /** Keeps the full result of a query under its id. */
  keepResult(id: string, text: string): Promise<void>
  /** Result kept under an id; undefined if there is none, or it is older than an hour. */
  keptResult(id: string): Promise<string | undefined>
  close(): Promise<void>
}
