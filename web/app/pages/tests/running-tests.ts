import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { Calls } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { useProject } from '../../api/queries.ts'
import { follow, stop, stream, type Progress } from '../../api/stream.ts'
import { underWay } from '../../kit/under-way.ts'

type Wanted = Calls['test_run']['input']
type Outcome = Calls['test_run']['output']

/** What is known of the run that this page began, or found under way. */
export type Running =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly progress: Progress | undefined; readonly isStopping: boolean }
  | { readonly state: 'ended'; readonly outcome: Outcome }
  | {
      readonly state: 'failed'
      readonly fault: Fault
      /** What goes on with it; undefined where nobody knows what exactly was run. */
      readonly again: Wanted | undefined
    }

/** One run of a project at a time, under a name by which it is found again after a reload. */
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

  /** Says so where one is under way already: a second would be joined to it, whatever was wanted. */
  start(project: string, wanted: Wanted, changed: () => void): void {
    if (this.of(project).state === 'running') return
    this.#set(project, { state: 'running', progress: undefined, isStopping: false })
    this.#wanted.set(project, wanted)
    underWay.began(project, NAME)
    void this.#hear(project, changed, (listening) => stream(project, 'test_run', wanted, listening))
  }

  /** Finds one that was begun before the page was loaded, or in another window. */
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
      // What is done shows itself in the strip, and asking for it must not cost more than the run.
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

/** Those that failed last time are others by now: the run that was stopped is the last one. */
const goingOn = (wanted: Wanted | undefined): Wanted | undefined =>
  wanted === undefined || wanted.failed === true ? undefined : { ...wanted, resume: true }

const runningTests = new RunningTests()

/** The run of tests of this project: how far it is, and what begins and ends one. */
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
