import type { ModelShelf } from '../../retrieval/ports/model-shelf.ts'
import type { Collections } from './collections.ts'
import type { Memory } from './memory.ts'
import type { UpkeepParts } from './upkeep-parts.ts'
import type { UserService } from './user-service.ts'

/** What operations on the memory need. */
export interface MemoryNeeds {
  /** Notes, sessions, documents and code, searched as one. Opened when first asked for. */
  memory(): Promise<Memory>
  readonly collections: Collections
}

/** The part of the memory that only a machine has. */
export interface LocalMemoryNeeds {
  /** What harvest and upkeep work with. Opened when first asked for. */
  upkeep(): Promise<UpkeepParts>
  /** `ken watch` as a service of the user. */
  userService(): Promise<UserService>
  /** The embedding models that can be brought to this machine. */
  modelShelf(): Promise<ModelShelf>
}
