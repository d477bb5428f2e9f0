import type { z } from 'zod'
import type { Operation, Toolset } from './operation.ts'

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
