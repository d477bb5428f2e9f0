import type { Operation } from './operation.ts'
import type { RegisteredOperation } from './registry-entry.ts'

/**
 * The surfaces of a team server without an operation. The kind of a token distinguishes a person from an agent there,
 * so commands for people are also served over HTTP. A turn of the analyst is the only caller of its own toolset.
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
