import type { Declared } from '../team/domain/permission.ts'
import { hiddenOnServer, type RegisteredOperation } from './registry-entry.ts'

/** The part of an operation the permission table reads. */
export const declaredBy = (operation: RegisteredOperation): Declared => ({
  name: operation.name,
  toolset: operation.toolset,
  effect: operation.effect,
  destructive: operation.destructive,
  anywhere: operation.anywhere,
  isServed: operation.onServer !== undefined,
  hiddenFrom: hiddenOnServer(operation),
  fields: Object.keys(operation.input.shape),
})
