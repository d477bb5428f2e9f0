import type { ErrorCode } from '../kernel/domain/errors.ts'
import type { TeamContext } from '../team/ports/team-context.ts'

/** Everything an operation may touch. `src/app/open.ts` composes it; tests compose it from memory adapters. */
export interface Context extends TeamContext {
  /** What opening a record had to settle and nobody was told yet, in Ken's own words; each once. */
  notices?(): readonly string[]
  /** Whether an operation is there at all; every one is where nothing says otherwise. */
  offers?(operation: string): boolean
  /**
   * Refuses what the caller may not do, before any of it is done; `input` is what the operation's schema made of it.
   * Gives what this operation works with in place of what stands here, so that of several at once each has its own.
   * There is none where the caller owns the machine.
   */
  permit?(operation: { readonly name: string }, input: Readonly<Record<string, unknown>>): Promise<Partial<Context>>
  /**
   * Runs the work of a call within what programs that it starts may take in all. There is none where no program is
   * started in a folder of the caller's.
   */
  within?<T>(operation: { readonly effect: 'read' | 'write' }, work: () => Promise<T>): Promise<T>
  /** Writes down that a call was made and what became of it. Never throws. There is none where the caller owns the machine. */
  audit?(
    operation: { readonly name: string; readonly effect: 'read' | 'write' },
    outcome: 'ok' | ErrorCode,
  ): Promise<void>
}
