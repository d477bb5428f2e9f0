// A process of many clients: it receives its work in a message, and sends its ledger when the time is over or it is
// stopped.
import { setTimeout } from 'node:timers/promises'
import { openCaller, type Called, type Caller } from './callers.ts'
import { emptyLedger, figuresOf, type Ledger, type Protocol, type WriteEntry } from './ledger.ts'
import { chooseRead, chooseWrite } from './traffic.ts'

export interface ClientPlan {
  readonly name: string
  readonly protocol: Protocol
  readonly token: string
  readonly project: string
}

export interface Work {
  readonly url: string
  readonly clients: readonly ClientPlan[]
  readonly seconds: number
  /** Mean milliseconds between two calls of a client. */
  readonly pause: number
  /** Share of calls that write. */
  readonly writes: number
}

let isOver = false

process.once('message', (work: Work) => {
  process.once('message', () => (isOver = true))
  void run(work).then((ledger) => process.send!(ledger, () => process.disconnect()))
})

async function run(work: Work): Promise<Ledger> {
  const ledger = emptyLedger()
  const end = performance.now() + work.seconds * 1_000
  await Promise.all(work.clients.map((plan) => actAs(plan, { work, ledger, end })))
  return ledger
}

interface Stage {
  readonly work: Work
  readonly ledger: Ledger
  readonly end: number
}

async function actAs(plan: ClientPlan, { work, ledger, end }: Stage): Promise<void> {
  const caller = openCaller(plan.protocol, work.url, plan.token)
  // Spreads the starts.
  await setTimeout(Math.random() * 2 * work.pause)
  for (let turn = 1; !isOver && performance.now() < end; turn++) {
    if (Math.random() < work.writes) {
      const { entry, called, ms } = await write(caller, plan, turn)
      ledger.writes.push(entry)
      note(ledger, { plan, effect: 'write', called, ms })
    } else {
      const { operation, input } = chooseRead(plan.project)
      const began = performance.now()
      const called = await caller.call(operation, input)
      note(ledger, { plan, effect: 'read', called, ms: performance.now() - began })
    }
    await setTimeout(Math.random() * 2 * work.pause)
  }
  await caller.close()
}

function note(
  ledger: Ledger,
  { plan, effect, called, ms }: { plan: ClientPlan; effect: 'read' | 'write'; called: Called; ms: number },
): void {
  const { times, faults } = figuresOf(ledger, plan.protocol, effect)
  if (called.fault === undefined) times.push(ms)
  else faults[called.fault] = (faults[called.fault] ?? 0) + 1
}

async function write(
  caller: Caller,
  { name, project }: ClientPlan,
  turn: number,
): Promise<{ readonly entry: WriteEntry; readonly called: Called; readonly ms: number }> {
  const mark = `${name}x${turn}x`
  const { kind, operation, input } = chooseWrite(project, mark)
  const began = performance.now()
  const called = await caller.call(operation, input)
  const ms = performance.now() - began
  const { status, decision_id: id, num, error } = (called.output ?? {}) as Record<string, unknown>
  const entry = { project, kind, mark }
  if (status === 'rejected') {
    const fault = `rejected: ${JSON.stringify(error).replace(/\d+/g, 'N').slice(0, 80)}`
    return { entry: { ...entry, outcome: 'refused' }, called: { ...called, fault }, ms }
  }
  const number = typeof num === 'number' ? num : Number.parseInt(String(id), 10)
  return { entry: { ...entry, outcome: called.outcome, ...(number > 0 && { number }) }, called, ms }
}
