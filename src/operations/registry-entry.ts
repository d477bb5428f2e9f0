import type { z } from 'zod'
import type { Operation, Toolset, OfferedToolset } from './operation.ts'

/** An operation as offered by surfaces: with its toolset and command words. */
export interface RegisteredOperation extends Operation {
  readonly toolset: Toolset
  readonly command: readonly string[]
}

export interface RegistryEntry extends Pick<RegisteredOperation, 'name' | 'toolset' | 'command'> {
  /** Loads this operation alone: loading the whole registry takes a third of the time of a call. */
  load(): Promise<RegisteredOperation>
}

export interface TypedEntry<N extends string, O> extends RegistryEntry {
  readonly name: N
  /** Exists only for the compiler. */
  readonly defines?: O
}

/**
 * Registers an operation. The name is repeated here so that it is found without being loaded; a name that does not
 * match its file does not compile.
 */
export function entry<const N extends string, O extends { readonly name: N }>(
  name: N,
  toolset: Toolset,
  command: readonly string[],
  load: () => Promise<O>,
): TypedEntry<N, O> {
  return {
    name,
    toolset,
    command,
    load: async () => ({ ...((await load()) as unknown as Operation), toolset, command }),
  }
}

/** Input and output of an operation. */
export type CallOf<O> = O extends {
  readonly input: infer I extends z.ZodType
  readonly output: infer R extends z.ZodType
}
  ? { readonly input: z.input<I>; readonly output: z.output<R> & Beside }
  : never

/** Fields that `call` adds to an answer if needed. */
interface Beside {
  readonly label?: string
  readonly notice?: string
}

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
