import type { ConfigFiles } from './config-files.ts'
import type { ContextDefinitions } from './context-project.ts'
import type { ContextProject } from './context-project.ts'
import type { ProposedTexts } from './context-project.ts'
import type { ParquetWriter } from './parquet-writer.ts'
import type { SourceDiscovery } from './source-discovery.ts'
import type { TrustRecord } from './trust-record.ts'

/** Dependencies of operations on a context project. */
export interface ContextNeeds {
  /**
   * The context project around a folder, by default `cwd`. Throws `not_found` with a hint. With `texts`, the project as
   * it would be if ken.yaml and .env contained them.
   */
  contextProject(folder?: string, texts?: ProposedTexts): Promise<ContextProject>
}

/** The part of a context project that only a machine has. */
export interface LocalContextNeeds {
  /** Changes ken.yaml and its related files. */
  readonly configFiles: ConfigFiles
  /** Inspects potential sources. */
  readonly scout: SourceDiscovery
  /** All kinds of sources and databases. Loaded on first use. */
  contextDefinitions(): Promise<ContextDefinitions>
  readonly trust: TrustRecord
  /** Loaded on first use. */
  parquet(): Promise<ParquetWriter>
}
