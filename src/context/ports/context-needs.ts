import type { ConfigFiles } from './config-files.ts'
import type { ContextDefinitions } from './context-project.ts'
import type { ContextProject } from './context-project.ts'
import type { ProposedTexts } from './context-project.ts'
import type { ParquetWriter } from './parquet-writer.ts'
import type { Scout } from './scout.ts'
import type { TrustRecord } from './trust-record.ts'

/** What operations on a context project need. */
export interface ContextNeeds {
  /**
   * The context project around a folder, `cwd` when none is named. Throws `not_found` with what to do. With texts it is
   * the project that there would be if ken.yaml and .env said so.
   */
  contextProject(folder?: string, texts?: ProposedTexts): Promise<ContextProject>
}

/** The part of a context project that only a machine has. */
export interface LocalContextNeeds {
  /** Changes ken.yaml and what belongs to it. */
  readonly configFiles: ConfigFiles
  /** Sees what could become a source. */
  readonly scout: Scout
  /** Every kind of source and database there is. Loaded when first asked for. */
  contextDefinitions(): Promise<ContextDefinitions>
  readonly trust: TrustRecord
  /** Loaded when first asked for. */
  parquet(): Promise<ParquetWriter>
}
