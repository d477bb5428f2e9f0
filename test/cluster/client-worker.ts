// A process of many clients: it receives its work in a message, and sends its ledger when the time is over or it is
// stopped.
import { setTimeout } from 'node:timers/promises'
import { openCaller, type Called, type Caller } from './callers.ts'
import { emptyLedger, figuresOf, type Ledger, type Protocol, type WriteEntry } from './ledger.ts'
import { chooseRead, chooseWrite, type OwnDecision } from './traffic.ts'

export interface ClientPlan {
  readonly name: string
  readonly protocol: Protocol
  readonly token: string
  readonly project: string
  /** The token of an admin in person, who also erases words and resolves conflicts; over REST. */
  readonly admin?: string
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
  const admin = plan.admin === undefined ? undefined : openCaller('rest', work.url, plan.admin)
  const own: OwnDecision[] = []
  // Spreads the starts.
  await setTimeout(Math.random() * 2 * work.pause)
  for (let turn = 1; !isOver && performance.now() < end; turn++) {
    if (Math.random() < work.writes) {
      const { entry, called, ms } =
        admin !== undefined && own.length > 0 && Math.random() < 0.5
          ? await adminWrite(admin, plan, { turn, own })
          : await write(caller, plan, { turn, own })
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
  await Promise.all([caller.close(), admin?.close()])
}

function note(
  ledger: Ledger,
  { plan, effect, called, ms }: { plan: ClientPlan; effect: 'read' | 'write'; called: Called; ms: number },
): void {
  const { times, faults } = figuresOf(ledger, plan.protocol, effect)
  if (called.fault === undefined) times.push(ms)
  else faults[called.fault] = (faults[called.fault] ?? 0) + 1
}

interface Written {
  readonly entry: WriteEntry
  readonly called: Called
  readonly ms: number
}

/** What a client does in one turn, with the decisions that it may supersede or from which it may redact words. */
interface Turn {
  readonly turn: number
  readonly own: OwnDecision[]
}

async function write(caller: Caller, { name, project, protocol }: ClientPlan, { turn, own }: Turn): Promise<Written> {
  const mark = `${name}x${turn}x`
  const { kind, operation, input, target } = chooseWrite(project, mark, own)
  if (target !== undefined) own.splice(own.indexOf(target), 1)
  const began = performance.now()
  const called = await caller.call(operation, input, protocol === 'rest' ? `cluster-${mark}` : undefined)
  const ms = performance.now() - began
  const entry = { project, kind, mark, ...(target && { target }) }
  const { status, error } = (called.output ?? {}) as Record<string, unknown>
  if (status === 'rejected') {
    const fault = `rejected: ${JSON.stringify(error).replace(/\d+/g, 'N').slice(0, 80)}`
    return { entry: { ...entry, outcome: 'refused' }, called: { ...called, fault }, ms }
  }
  const number = numberIn(called.output ?? {})
  if (called.outcome === 'landed' && kind === 'decision' && number > 0) own.push({ number, mark })
  return { entry: { ...entry, outcome: called.outcome, ...(number > 0 && { number }) }, called, ms }
}

/** The number of a decision or question, also in a replayed answer. */
function numberIn({ decision_id: id, num, facts }: Readonly<Record<string, unknown>>): number {
  if (typeof num === 'number') return num
  const { decision, question } = (facts ?? {}) as Record<string, unknown>
  return Number.parseInt(String(id ?? decision ?? String(question).replace('Q', '')), 10)
}

/** Takes the mark out of one of the client's decisions, or resolves the newest conflict with its own text. */
async function adminWrite(admin: Caller, { name, project }: ClientPlan, { turn, own }: Turn): Promise<Written> {
  const began = performance.now()
  const done = (entry: Pick<WriteEntry, 'kind' | 'mark'>, called: Called): Written => ({
    entry: { project, ...entry, outcome: called.outcome },
    called,
    ms: performance.now() - began,
  })
  const found = Math.random() < 0.5 ? await admin.call('conflicts', { project_id: project }) : undefined
  const [conflict] = (found?.output?.['conflicts'] ?? []) as readonly { question: string; hash: string }[]
  if (conflict === undefined) {
    const [{ mark }] = own.splice(Math.floor(Math.random() * own.length), 1) as [OwnDecision]
    const called = await admin.call('redact_words', { project_id: project, words: [mark], confirmed: true })
    return done({ kind: 'erasure', mark }, called)
  }
  const mark = `${name}x${turn}x`
  const input = {
    project_id: project,
    question: conflict.question,
    text: `# Agreed\n\n${mark}\n`,
    expects: conflict.hash,
  }
  return done({ kind: 'resolution', mark }, await admin.call('resolve_conflict', input, `cluster-${mark}`))
}
