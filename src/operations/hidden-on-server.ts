import type { Operation } from './operation.ts'
import type { RegisteredOperation } from './registry-entry.ts'

/**
 * Surfaces of a team server that do not offer an operation. There the kind of a token distinguishes a person from an
 * agent, so commands for people are also served over HTTP. Only a turn of the analyst calls the analyst toolset.
 */
export function hiddenOnServer({
  toolset,
  hiddenFrom,
  onServer,
}: Pick<RegisteredOperation, 'toolset' | 'hiddenFrom' | 'onServer'>): Operation['hiddenFrom'] {
  if (toolset === 'analyst') return { app: IN_A_TURN, http: IN_A_TURN, mcp: IN_A_TURN }
  const { http: _, ...hidden } = onServer?.hiddenFrom ?? hiddenFrom
  return hidden
}

const IN_A_TURN = 'Only the analyst calls it, within a turn.'
