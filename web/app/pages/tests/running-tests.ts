import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { Calls } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { useProject } from '../../api/queries.ts'
import { follow, stop, stream, type Progress } from '../../api/stream.ts'
import { underWay } from '../../kit/under-way.ts'

type Wanted = Calls['test_run']['input']
type Outcome = Calls['test_run']['output']

/** State of the run that this page started or found running. */
export type Running =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly progress: Progress | undefined; readonly isStopping: boolean }
  | { readonly state: 'ended'; readonly outcome: Outcome }
  | {
      readonly state: 'failed'
      readonly fault: Fault
      /** Input to continue with; undefined if the input of the run is unknown. */
      readonly again: Wanted | undefined
    }

/** Only one run per project at a time, under a name by which it is found again after a reload. */
const NAME = 'tests'
const IDLE: Running = { state: 'idle' }

class RunningTests {
  #of = new Map<string, Running>()
  readonly #wanted = new Map<string, Wanted>()
  readonly #listeners = new Set<() => void>()

  of = (project: string): Running => this.#of.get(project) ?? IDLE

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  forget = (project: string): void => this.#set(project, IDLE)

  /** Does nothing if a run is in progress: a second call would join it, even with different input. */
  start(project: string, wanted: Wanted, changed: () => void): void {
    if (this.of(project).state === 'running') return
    this.#set(project, { state: 'running', progress: undefined, isStopping: false })
    this.#wanted.set(project, wanted)
    underWay.began(project, NAME)
    void this.#hear(project, changed, (listening) => stream(project, 'test_run', wanted, listening))
  }

  /** Finds a run that was started before the page loaded, or in another window. */
  find(project: string, changed: () => void): void {
    if (this.#of.has(project)) return
    this.#of.set(project, IDLE)
    if (!underWay.has(project, NAME)) return
    const listening = { id: NAME, onProgress: this.#progress(project, changed) }
    void follow(project, 'test_run', listening).then(
      (outcome) => {
        underWay.ended(project, NAME)
        if (outcome === undefined || this.of(project).state !== 'running') return
        this.#set(project, { state: 'ended', outcome })
        changed()
      },
      (thrown: unknown) => {
        underWay.ended(project, NAME)
        if (this.of(project).state === 'running') this.#fail(project, thrown)
        changed()
      },
    )
  }

  stop(project: string): void {
    const now = this.of(project)
    if (now.state !== 'running') return
    this.#set(project, { ...now, isStopping: true })
    void stop(project, 'test_run', NAME)
  }

  async #hear(
    project: string,
    changed: () => void,
    run: (listening: { id: string; onProgress(progress: Progress): void }) => Promise<Outcome>,
  ): Promise<void> {
    try {
      const outcome = await run({ id: NAME, onProgress: this.#progress(project, changed) })
      this.#set(project, { state: 'ended', outcome })
    } catch (thrown) {
      this.#fail(project, thrown)
    }
    underWay.ended(project, NAME)
    changed()
  }

  #fail(project: string, thrown: unknown): void {
    const fault = thrown instanceof Fault ? thrown : new Fault('unavailable', String(thrown), { status: 0 })
    this.#set(project, { state: 'failed', fault, again: goingOn(this.#wanted.get(project)) })
  }

  #progress(project: string, changed: () => void): (progress: Progress) => void {
    let told = 0
    return (progress) => {
      const before = this.of(project)
      const isStopping = before.state === 'running' && before.isStopping
      this.#set(project, { state: 'running', progress, isStopping })
      // Throttled: finished cases appear in the strip, and refetching it must not cost more than the run.
      if (Date.now() - told < EVERY) return
      told = Date.now()
      changed()
    }
  }

  #set(project: string, running: Running): void {
    this.#of.set(project, running)
    for (const listener of this.#listeners) listener()
  }
}

const EVERY = 2_000

/**
 * Input to resume a run. Undefined for a run of failed cases: the stopped run is now the last one, so the failed cases
 * have changed.
 */
const goingOn = (wanted: Wanted | undefined): Wanted | undefined =>
  wanted === undefined || wanted.failed === true ? undefined : { ...wanted, resume: true }

const runningTests = new RunningTests()

/** The project's test run: its progress, and how to start and stop one. */
export function useRunningTests() {
  const project = useProject()
  const client = useQueryClient()
  const changed = (): void => void client.invalidateQueries({ queryKey: [project] })
  const running = useSyncExternalStore(runningTests.subscribe, () => runningTests.of(project))
  useEffect(() => {
    runningTests.find(project, () => void client.invalidateQueries({ queryKey: [project] }))
  }, [project, client])
  return {
    running,
    start: (wanted: Wanted) => runningTests.start(project, wanted, changed),
    stop: () => runningTests.stop(project),
    dismiss: () => runningTests.forget(project),
  }
}
