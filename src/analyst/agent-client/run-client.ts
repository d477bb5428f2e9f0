import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../kernel/domain/errors.ts'
import type { StopSignal } from '../../kernel/domain/stop.ts'
import { stopped } from '../../kernel/domain/stop.ts'
import { parseObject } from '../../kernel/system/json-value.ts'
import type { ClientEvent, ClientRequest } from '../ports/agent-client.ts'
import { startProcess, TooMuch, type ClientProcess, type ProcessStart } from './client-process.ts'
import type { EventReader, Told } from './read-event.ts'
import type { ServerTether } from './server-tether.ts'

export interface ClientRunning {
  readonly start: ProcessStart
  readonly reader: EventReader
  readonly tether: ServerTether
  readonly limits: Pick<ClientRequest, 'maxSteps' | 'maxTokens' | 'maxCost'>
  readonly signal: StopSignal
  readonly silence: number
  /** `all`: earlier output, which may be more informative. */
  failed(said: string, all?: string): Promise<AppError>
}

type Reached = 'steps' | 'tokens' | 'cost'
type Halt = 'stopped' | 'silent' | 'overstep' | 'flood' | Reached

// Tool answers from Ken's server are shorter.
const LONGEST_RESULT = 400_000
// Maximum total length of an answer.
const LONGEST_TEXT = 2_000_000
// Milliseconds of repeated errors before a run is ended: some clients wait forever for an unreachable network.
const LONGEST_COMPLAINT = 60_000
// Milliseconds for a finished client to close its server and write its session.
const FAREWELL = 10_000

/** Runs a client and yields its events until it ends or is stopped. */
export async function* runClient(running: ClientRunning): AsyncGenerator<ClientEvent> {
  const { reader, tether, signal } = running
  const child = startProcess(running.start)
  const teller = openTeller(running)
  let halted: Halt | undefined
  let ending: Promise<void> | undefined
  // Kills the client only after the server had time to stop its running database work.
  const end = (): Promise<void> => {
    child.interrupt()
    return (ending ??= tether.cut().then(() => child.end()))
  }
  const halt = (why: Halt): void => {
    halted ??= why
    void end()
  }
  const onStop = (): void => halt('stopped')
  signal.addEventListener('abort', onStop)
  if (signal.aborted) onStop()
  let clock = setTimeout(() => halt('silent'), running.silence)
  try {
    for await (const line of child.lines()) {
      const event = parseObject(line)
      if (event === undefined) {
        teller.mumbled(line)
        continue
      }
      for (const told of reader.read(event)) {
        const next = teller.tell(told)
        if (typeof next === 'string') halt(next)
        if (halted !== undefined) break
        if (typeof next !== 'object') continue
        clock.refresh()
        yield next
      }
      if (halted !== undefined) break
      if (reader.ended() !== undefined) {
        clearTimeout(clock)
        clock = setTimeout(() => void end(), FAREWELL)
      }
    }
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    halted ??= 'flood'
  } finally {
    clearTimeout(clock)
    signal.removeEventListener('abort', onStop)
    if (halted === undefined && reader.ended() !== undefined)
      await Promise.race([child.ended, sleep(FAREWELL, undefined, { ref: false })])
    await end()
  }
  yield await endOf(running, { halted, child, teller })
}

interface Ending {
  readonly halted: Halt | undefined
  readonly child: ClientProcess
  readonly teller: Teller
}

async function endOf(
  { reader, failed, silence, tether }: ClientRunning,
  { halted, child, teller }: Ending,
): Promise<ClientEvent> {
  if (halted === 'stopped') throw stopped()
  if (halted === 'silent')
    throw await failed(teller.complaint() || `it said nothing for ${Math.round(silence / 1000)} s`)
  if (halted === 'overstep') throw await failed(`it used ${teller.overstep()}, which it must not, and was ended`)
  if (halted === 'flood') throw await failed('it printed more than an answer can be, and was ended')
  if (halted !== undefined) return { type: 'end', reason: 'length', reached: halted, usage: reader.usage() }
  if (teller.failure() !== '') throw await failed(teller.failure())
  const ended = reader.ended()
  if (ended !== undefined && !tether.wasUsed()) throw await failed("it did not start Ken's own server")
  if (ended !== undefined) return { type: 'end', ...ended }
  const code = await child.ended
  if (typeof code === 'string') throw await failed(code)
  const complaint = child.complaint()
  throw await failed(lastLine(complaint) || teller.complaint() || `it ended with code ${code} and no answer`, complaint)
}

/** Returns the last line of output: the reason for the exit. */
const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .findLast((line) => line.trim() !== '') ?? ''

type Teller = ReturnType<typeof openTeller>

/** Turns read events into client events: bounded, each session once, each step counted. */
function openTeller({ limits, reader }: Pick<ClientRunning, 'limits' | 'reader'>) {
  let hasSession = false
  let isInStep = false
  let wasText = false
  let steps = 0
  let length = 0
  let failure = ''
  let overstep = ''
  let complaint = ''
  let isCounted = false
  let complainedAt: number | undefined
  const spoken = (event: ClientEvent): ClientEvent | Halt => {
    if (!isInStep && !isCounted) steps++
    isInStep = true
    complainedAt = undefined
    complaint = ''
    return reached() ?? event
  }
  const reached = (): Reached | undefined => {
    const { input, output, cost = 0 } = reader.usage()
    if (steps > limits.maxSteps) return 'steps'
    if (input + output > (limits.maxTokens ?? Infinity)) return 'tokens'
    return cost > (limits.maxCost ?? Infinity) ? 'cost' : undefined
  }
  return {
    failure: () => failure,
    overstep: () => overstep,
    complaint: () => complaint,
    /** Handles a line that is not a client event. */
    mumbled(line: string) {
      if (line.trim() !== '' && !line.startsWith('{')) complaint = line.slice(0, 1_000)
    },
    tell(told: Told): ClientEvent | Halt | undefined {
      const isAfterText = wasText
      wasText = told.type === 'text' || told.type === 'paragraph'
      switch (told.type) {
        case 'failure':
          failure = told.message || 'it failed without a word'
          return undefined
        case 'complaint':
          complaint = told.message
          complainedAt ??= performance.now()
          return performance.now() - complainedAt > LONGEST_COMPLAINT ? 'silent' : undefined
        case 'step':
          isCounted = true
          steps++
          return reached()
        case 'overstep':
          overstep = told.what
          return 'overstep'
        case 'session':
          if (hasSession) return undefined
          hasSession = true
          return told
        case 'result':
          isInStep = false
          return { ...told, text: told.text.slice(0, LONGEST_RESULT) }
        case 'call':
          return spoken(told)
        default: {
          const text = told.type === 'paragraph' && isAfterText ? `\n\n${told.text}` : told.text
          length += text.length
          if (length > LONGEST_TEXT) return 'flood'
          return text === '' ? undefined : spoken({ type: told.type === 'paragraph' ? 'text' : told.type, text })
        }
      }
    },
  }
}
