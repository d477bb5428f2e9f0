import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../domain/errors.ts'

export interface GitWait {
  /** Milliseconds that the command may take. */
  readonly mostMs: number
  /** Milliseconds until git is killed; 0 or less if the time is up. */
  left(): number
  /** Ends the wait. After `too slow`, git is not run in that repository for a while. */
  end(outcome: 'answered' | 'too slow'): void
}

const COMMAND_MS = 5_000
const CALL_MS = 7_000
// One call runs git several times; if one command times out, the others would too.
const REST_MS = 10_000

interface Spending {
  readonly commandMs: number
  /** Limit for all commands within one call; concurrent commands count once. */
  readonly callMs: number
  readonly mayLeave: boolean
  spentMs: number
  waiting: number
  since: number
}

const spending = new AsyncLocalStorage<Spending>()
const restingUntil = new Map<string, number>()

/** The user's limits for git, and whether a call has a total budget. */
export interface GitAllowance {
  /** Limit for one command. */
  readonly seconds: number
  /** True for calls that read; a call that writes, such as a harvest, may run git for any number of files. */
  readonly isBudgeted: boolean
  /** Whether links and alternates may lead out of a repository. */
  readonly mayLeave: boolean
}

/** Runs the work of one call within the user's limits for git. */
export function withGitAllowance<T>(
  { seconds, isBudgeted, mayLeave }: GitAllowance,
  work: () => Promise<T>,
): Promise<T> {
  const commandMs = seconds * 1000
  const callMs = isBudgeted ? (commandMs * CALL_MS) / COMMAND_MS : Infinity
  return spending.run({ commandMs, callMs, mayLeave, spentMs: 0, waiting: 0, since: 0 }, work)
}

export const mayLeaveRepository = (): boolean => spending.getStore()?.mayLeave === true

/** Begins a wait; throws if the time of this call is used up or git was recently too slow in the repository. */
export function waitForGit(repository: string, command: string, commandMs?: number): GitWait {
  const call = spending.getStore()
  const most = Math.min(commandMs ?? Infinity, call?.commandMs ?? COMMAND_MS)
  const started = performance.now()
  if ((restingUntil.get(repository) ?? 0) > started) throw tooSlow(command, most)
  restingUntil.delete(repository)
  if (call !== undefined && leftOf(call, started) <= 0) throw tooSlow(command, most)
  if (call !== undefined && call.waiting++ === 0) call.since = started
  let isEnded = false
  return {
    mostMs: most,
    left() {
      const now = performance.now()
      return Math.min(most - (now - started), call === undefined ? Infinity : leftOf(call, now))
    },
    end(outcome) {
      if (isEnded) return
      isEnded = true
      const now = performance.now()
      if (call !== undefined && --call.waiting === 0) call.spentMs += now - call.since
      if (outcome === 'too slow') restingUntil.set(repository, now + REST_MS)
    },
  }
}

const leftOf = ({ callMs, spentMs, waiting, since }: Spending, now: number): number =>
  callMs - spentMs - (waiting > 0 ? now - since : 0)

export const tooSlow = (command: string, patienceMs: number): AppError =>
  new AppError(
    'unavailable',
    `git took too long here: no answer from \`git ${command}\` within ${patienceMs / 1000} s.`,
    {
      hint: 'Check for named pipes, and for thousands of patterns in .gitignore and .gitattributes. In a large repository you trust, raise `git.patience`.',
    },
  )
