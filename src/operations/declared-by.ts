import type { Declared } from '../team/domain/permission.ts'
import type { RegisteredOperation } from './registry-entry.ts'

/** The part of an operation the permission table reads. */
export const declaredBy = ({ input, ...operation }: RegisteredOperation): Declared => ({
  name: operation.name,
  toolset: operation.toolset,
  effect: operation.effect,
  destructive: operation.destructive,
  anywhere: operation.anywhere,
  hiddenFrom: operation.onServer?.hiddenFrom ?? operation.hiddenFrom,
  fields: Object.keys(input.shape),
})
