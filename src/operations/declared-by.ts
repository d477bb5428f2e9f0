import type { Declared } from '../team/domain/permission.ts'
import type { RegisteredOperation } from './registry-entry.ts'

/** What the table of permissions reads of an operation. */
export const declaredBy = ({ input, ...operation }: RegisteredOperation): Declared => ({
  name: operation.name,
  toolset: operation.toolset,
  effect: operation.effect,
  destructive: operation.destructive,
  anywhere: operation.anywhere,
  hiddenFrom: operation.onServer?.hiddenFrom ?? operation.hiddenFrom,
  fields: Object.keys(input.shape),
})
