import type { OfferedToolset } from './operation.ts'
import type { RegistryEntry } from './registry-entry.ts'

/**
 * The toolset `agent`: `memory_query` has a mode instead of two more searches, and upkeep is left out because Ken does
 * it.
 */
const DAILY: ReadonlySet<string> = new Set([
  'get_context',
  'get_decision',
  'check_decision',
  'propose_decision',
  'flag_question',
  'update_state',
  'memory_query',
  'memory_get',
  'memory_write',
])

export const isOffered = (
  { name, toolset }: Pick<RegistryEntry, 'name' | 'toolset'>,
  toolsets: readonly OfferedToolset[],
): boolean => toolsets.some((one) => one === toolset || (one === 'agent' && DAILY.has(name)))
