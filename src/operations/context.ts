import type { AnalystNeeds } from '../analyst/ports/analyst-needs.ts'
import type { ContextNeeds, LocalContextNeeds } from '../context/ports/context-needs.ts'
import type { EvaluationNeeds, LocalEvaluationNeeds } from '../evaluation/ports/evaluation-needs.ts'
import { AppError, type ErrorCode } from '../kernel/domain/errors.ts'
import { fieldNamed } from '../kernel/domain/named-operation.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import type { LocalMemoryNeeds, MemoryNeeds } from '../memory/ports/memory-needs.ts'
import type { LocalRecordNeeds, RecordNeeds } from '../record/ports/record-needs.ts'
import type { SetupNeeds } from '../setup/ports/setup-needs.ts'
import type { LocalTeamNeeds, TeamNeeds } from '../team/ports/team-needs.ts'

/** Values of `needs` in an operation. A machine provides all but `team`; a team server provides all but `machine`. */
interface Needs {
  record: RecordNeeds
  memory: MemoryNeeds
  context: ContextNeeds
  analyst: AnalystNeeds & EvaluationNeeds
  team: TeamNeeds
  machine: MachineNeeds &
    SetupNeeds &
    LocalRecordNeeds &
    LocalMemoryNeeds &
    LocalContextNeeds &
    LocalEvaluationNeeds &
    LocalTeamNeeds
}

export type Need = keyof Needs

/**
 * Context of an operation with these needs, including that of every call. `machine` and `team` are optional for
 * operations that do not need them: `machine` is undefined on a team server, `team` on a machine.
 */
export type Given<N extends Need = never> = Call &
  Pick<CallGuards, 'offers'> &
  Partial<Needs['machine']> &
  Partial<Needs['team']> &
  Intersection<N>

type Intersection<N extends Need> = [N] extends [never]
  ? unknown
  : (N extends Need ? (needs: Needs[N]) => void : never) extends (needs: infer T) => void
    ? T
    : never

/**
 * Context that a place offers: a machine, a team server, or a part of one in a test. `call` refuses operations that
 * need more.
 */
export type Offered = Call & CallGuards & Partial<Intersection<Need>>

/** The full context, which a surface composes and `call` takes. Tests compose it from memory adapters. */
export interface Context
  extends
    Call,
    RecordNeeds,
    MemoryNeeds,
    ContextNeeds,
    AnalystNeeds,
    EvaluationNeeds,
    MachineNeeds,
    SetupNeeds,
    LocalRecordNeeds,
    LocalMemoryNeeds,
    LocalContextNeeds,
    LocalEvaluationNeeds,
    LocalTeamNeeds,
    Partial<TeamNeeds>,
    CallGuards {}

/** Hooks that `call` runs before and after an operation. */
export interface CallGuards {
  /** Notices from opening a record that have not been shown yet, in Ken's words; each once. */
  notices?(): readonly string[]
  /** Whether an operation exists here; if undefined, all operations do. */
  offers?(operation: string): boolean
  /**
   * Rejects a call that the caller may not make before anything is done; `input` is already parsed by the operation's
   * schema. Returns replacements for parts of this context, so that concurrent operations each have their own.
   * Undefined if the caller owns the machine.
   */
  permit?(operation: { readonly name: string }, input: Readonly<Record<string, unknown>>): Promise<Partial<Context>>
  /**
   * Runs a call within the limits for all programs it starts. Undefined if no program is started in a caller's folder.
   */
  within?<T>(operation: { readonly effect: 'read' | 'write' }, work: () => Promise<T>): Promise<T>
  /** Records a call and its outcome. Never throws. Undefined if the machine belongs to the caller. */
  audit?(
    operation: { readonly name: string; readonly effect: 'read' | 'write' },
    outcome: 'ok' | ErrorCode,
  ): Promise<void>
}

/**
 * The caller's machine, for a part of an operation that is not available on a team server. Throws `forbidden` on a team
 * server.
 */
export function machineOf<C extends Given>(ctx: C): C & Needs['machine'] {
  if (ctx.team !== undefined)
    throw new AppError('forbidden', 'Not available on a team server.', { hint: 'Run this on your own machine.' })
  return ctx as C & Needs['machine']
}

/**
 * Refuses a field on a page. A page shows one place of the machine that Ken runs on; other files there, the terminal
 * and endless commands are only for the person at that machine.
 */
export function refuseOnPage({ origin }: Pick<Context, 'origin'>, field: string, isGiven: boolean): void {
  if (isGiven && origin.surface === 'app')
    throw new AppError('forbidden', `${fieldNamed(field)} is not available from a page, only at a terminal.`, {
      hint: `Omit ${fieldNamed(field)}, or run the command at a terminal.`,
    })
}
