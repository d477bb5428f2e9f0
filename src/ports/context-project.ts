import type { ContextConfig } from '../core/context-project/config.ts'
import type { ContextFiles } from './context-files.ts'
import type { ContextTree } from './context-tree.ts'
import type { Redacted } from './redactor.ts'
import type { Source } from './source.ts'
import type { Template, Templates } from './templates.ts'
import type { Warehouse } from './warehouse.ts'

/** A source as ken.yaml names it. Opening it may fail; the others go on. */
export interface SourceEntry {
  /** Kind and name, e.g. `database/shop`: what the manifest and the frontmatter call it. */
  readonly key: string
  /** What people call it on the command line. */
  readonly name: string
  open(): Promise<Source>
}

/** One folder with a ken.yaml. */
export interface ContextProject {
  readonly root: string
  readonly config: ContextConfig
  readonly tree: ContextTree
  readonly files: ContextFiles
  readonly templates: Templates
  readonly sources: readonly SourceEntry[]
  /** Templates that people wrote beside the context, by path; never one that was synced. */
  userTemplates(owned: ReadonlySet<string>): Promise<readonly Template[]>
  /** Opened when first asked for and shared from then on. Throws `not_found` for a name that ken.yaml does not have. */
  warehouse(name: string): Promise<Warehouse>
  /** Takes out secrets by rule, and the values that ken.yaml and its environment hold. */
  redact(text: string): Promise<Redacted>
  /** Keeps the full result of a query under its id. */
  keepResult(id: string, text: string): Promise<void>
  close(): Promise<void>
}
