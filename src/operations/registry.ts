import { ANALYST_OPERATIONS } from '../analyst/operations/index.ts'
import { CONTEXT_OPERATIONS } from '../context/operations/index.ts'
import { EVALUATION_OPERATIONS } from '../evaluation/operations/index.ts'
import { MEMORY_OPERATIONS } from '../memory/operations/index.ts'
import { RECORD_OPERATIONS } from '../record/operations/index.ts'
import { SETUP_OPERATIONS } from '../setup/operations/index.ts'
import { TEAM_OPERATIONS } from '../team/operations/index.ts'
import type { OfferedToolset } from './operation.ts'
import {
  hiddenOnServer,
  isOffered,
  type CallOf,
  type RegisteredOperation,
  type RegistryEntry,
} from './registry-entry.ts'

export type { RegisteredOperation, RegistryEntry }

/** Everything Ken can do, in display order. Every other list of operations is derived from this one. */
const ENTRIES = [
  ...RECORD_OPERATIONS,
  ...SETUP_OPERATIONS,
  ...MEMORY_OPERATIONS,
  ...CONTEXT_OPERATIONS,
  ...ANALYST_OPERATIONS,
  ...EVALUATION_OPERATIONS,
  ...TEAM_OPERATIONS,
]

export const REGISTRY: readonly RegistryEntry[] = ENTRIES

/** The local operations: of some toolsets, or all if none is given. */
export function loadOperations(toolsets?: readonly OfferedToolset[]): Promise<RegisteredOperation[]> {
  const wanted = REGISTRY.filter(
    (one) => one.toolset !== 'team' && (toolsets === undefined || isOffered(one, toolsets)),
  )
  return Promise.all(wanted.map((one) => one.load()))
}

/** The operations of a team server, in their server form. */
export async function loadServed(): Promise<RegisteredOperation[]> {
  const all = await Promise.all(REGISTRY.map((one) => one.load()))
  return all
    .filter(({ onServer }) => onServer !== undefined)
    .map((one) => ({ ...one, ...one.onServer, hiddenFrom: hiddenOnServer(one) }))
}

/** The first command word for an operation. */
export const commandOf = (name: string): string =>
  REGISTRY.find((one) => one.name === name)?.command[0] ?? name.replaceAll('_', '-')

/** Input and output of each operation, for clients compiled beside it. */
export type Calls = {
  readonly [E in (typeof ENTRIES)[number] as E['name']]: CallOf<NonNullable<E['defines']>>
}
