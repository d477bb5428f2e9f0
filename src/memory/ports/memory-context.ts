import type { MachineContext } from '../../kernel/ports/machine-context.ts'
import type { ModelShelf } from '../../retrieval/ports/model-shelf.ts'
import type { Collections } from './collections.ts'
import type { Memory } from './memory.ts'
import type { UpkeepParts } from './upkeep-parts.ts'
import type { UserService } from './user-service.ts'

/** What the memory works with. */
export interface MemoryContext extends MachineContext {
  /** Notes, sessions, documents and code, searched as one. Opened when first asked for. */
  memory(): Promise<Memory>
  readonly collections: Collections
  /** What harvest and upkeep work with. Opened when first asked for. */
  upkeep(): Promise<UpkeepParts>
  /** `ken watch` as a service of the user. */
  userService(): Promise<UserService>
  /** The embedding models that can be brought to this machine. */
  modelShelf(): Promise<ModelShelf>
}
