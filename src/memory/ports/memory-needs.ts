import type { ModelRegistry } from '../../retrieval/ports/model-registry.ts'
import type { Collections } from './collections.ts'
import type { Memory } from './memory.ts'
import type { UpkeepParts } from './upkeep-parts.ts'
import type { UserService } from './user-service.ts'

/** Dependencies of memory operations. */
export interface MemoryNeeds {
  /** Notes, sessions, documents and code, searched as one. Opened on first use. */
  memory(): Promise<Memory>
  readonly collections: Collections
}

/** The part of the memory that only a machine has. */
export interface LocalMemoryNeeds {
  /** Dependencies of harvest and upkeep. Opened on first use. */
  upkeep(): Promise<UpkeepParts>
  /** `ken watch` as a service of the user. */
  userService(): Promise<UserService>
  /** The embedding models that can be downloaded to this machine. */
  modelRegistry(): Promise<ModelRegistry>
}
