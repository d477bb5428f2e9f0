import { createInterface, type Interface } from 'node:readline'
import type { ChartSpec } from '../../analyst/domain/chart/chart.ts'
import { readMentions } from '../../analyst/operations/mentions.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Context } from '../../operations/context.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import { readAskCommand, ASK_COMMANDS } from './ask-commands.ts'
import { obey } from './ask-obey.ts'
import { chosen, showTurn } from './ask-turn.ts'
import { openLiveLine } from './live-line.ts'
import {
  LINE_END,
  mutable,
  PASTE_OFF,
  PASTE_ON,
  pasteSafe,
  type KeyStream,
  type MutableOutput,
} from './prompt-streams.ts'
import { reportFailure, type Terminal } from './run.ts'

export interface AskPromptParts {
  readonly ctx: Context
  readonly terminal: Terminal
  readonly input: KeyStream
  readonly output: NodeJS.WritableStream & { readonly columns?: number }
  /** Questions from earlier sessions, newest first, and the store for new ones. */
  readonly history: { load(): readonly string[]; add(line: string): void }
  operation(name: string): Promise<RegisteredOperation>
}

/** State of the prompt. */
export interface AskRepl {
  /** The current chat; undefined before the first question, and after `/new`. */
  chat: string | undefined
  model: string | undefined
  /** The last answer in this chat. */
  last: LastAnswer | undefined
}

export interface LastAnswer {
  readonly chat: string
  readonly message: string
  /** SQL of the last answer that contained any. */
  readonly sql: readonly string[]
  readonly chart: ChartSpec | undefined
  readonly options: readonly string[]
}

export interface AskPromptDesk {
  readonly parts: AskPromptParts
  readonly sitting: AskRepl
  readonly names: AskNames
  /** Runs work that Ctrl-C stops, with exclusive use of the screen; prints failures. */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void>
}

const STOPPED = 'Stopped. Ask on, or leave with Ctrl-D.'
const LEAVE = 'Ctrl-C once more leaves.'
const HISTORY = 1_000

/** `ken ask` at a terminal: questions, commands with a slash, until Ctrl-D. */
export async function runAskPrompt(
  parts: AskPromptParts,
  start: { readonly chat: string | undefined; readonly model: string | undefined },
): Promise<number> {
  const { ctx, terminal, history } = parts
  const sitting: AskRepl = { ...start, last: undefined }
  const names = openAskNames(ctx)
  const drawn = mutable(parts.output)
  const lines = createInterface({
    input: pasteSafe(parts.input),
    output: drawn,
    terminal: true,
    history: [...history.load()],
    historySize: HISTORY,
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: Error | null, found: [string[], string]) => void) =>
      void names
        .complete(line.slice(0, lines.cursor))
        .then(([choices, word]) => done(null, [[...choices], word]))
        .catch(() => done(null, [[], ''])),
  })
  const keys = openKeys(lines, drawn, terminal)
  const desk: AskPromptDesk = { parts, sitting, names, run: (work) => keys.run(work) }
  parts.output.write(PASTE_ON)
  terminal.out('Ask a question. @ names tables, stories and documents, / skills; /help helps, Ctrl-D leaves.')
  try {
    let typed = ''
    for (;;) {
      const line = await keys.line(typed === '' ? 'ask> ' : '...> ')
      if (line === undefined) return 0
      if (line.endsWith('\\')) {
        typed += `${line.slice(0, -1)}${LINE_END}`
        continue
      }
      const whole = `${typed}${line}`.trim()
      typed = ''
      if (whole !== '' && !(await take(whole, desk, keys))) return 0
    }
  } finally {
    parts.output.write(PASTE_OFF)
    lines.close()
    // If left flowing, it would keep the process alive.
    parts.input.unpipe()
    parts.input.pause()
  }
}

/** False if the session is over. */
async function take(line: string, desk: AskPromptDesk, keys: Keys): Promise<boolean> {
  const { parts, sitting, names } = desk
  const said = line.replaceAll(LINE_END, '\n')
  const command = readAskCommand(said, said.startsWith('/') ? await names.skills() : [])
  if (command !== undefined) return obey(command, desk)
  parts.history.add(line)
  const question = chosen(said, sitting.last?.options ?? [])
  if (question !== said) parts.terminal.out(`> ${visibleLine(question)}`)
  await desk.run(async (signal) => {
    const input = {
      question,
      ...(sitting.chat !== undefined && { chat: sitting.chat }),
      ...(sitting.model !== undefined && { model: sitting.model }),
    }
    const { output } = await showTurn(await parts.operation('ask'), input, {
      ctx: { ...parts.ctx, signal },
      terminal: parts.terminal,
      live: openLiveLine(parts.output),
      line: (prompt) => keys.line(prompt),
    })
    sitting.chat = String(output['chat'])
    sitting.last = lastAnswer(output, sitting.last)
    if (output['end'] === 'stopped') parts.terminal.err(STOPPED)
  })
  return true
}

function lastAnswer(output: Readonly<Record<string, unknown>>, before: LastAnswer | undefined): LastAnswer {
  const sql = (output['queries'] as readonly { readonly sql: string }[]).map((query) => query.sql)
  const options = output['question'] === undefined ? output['follow_ups'] : output['options']
  return {
    chat: String(output['chat']),
    message: String(output['message']),
    sql: sql.length > 0 ? sql : (before?.sql ?? []),
    chart: (output['charts'] as readonly ChartSpec[]).at(-1) ?? before?.chart,
    options: (options ?? []) as readonly string[],
  }
}

type Keys = ReturnType<typeof openKeys>

/** The keyboard: reads a line on request; Ctrl-C stops the running work, and exits if pressed twice at the prompt. */
function openKeys(lines: Interface, drawn: MutableOutput, terminal: Terminal) {
  const waiting: string[] = []
  let [isClosed, isLeaving] = [false, false]
  let running: AbortController | undefined
  let wake = (): void => {}
  lines.on('line', (line) => {
    isLeaving = false
    waiting.push(line)
    wake()
  })
  lines.on('close', () => {
    isClosed = true
    running?.abort()
    wake()
  })
  lines.on('SIGINT', () => {
    if (running !== undefined && !running.signal.aborted) return running.abort()
    if (isLeaving || running !== undefined) return lines.close()
    isLeaving = lines.line === ''
    drawn.write('\n')
    // Ctrl-C at a prompt discards the typed text, as in a shell.
    Object.assign(lines, { line: '', cursor: 0 })
    if (isLeaving) terminal.err(LEAVE)
    lines.prompt()
  })
  const line = async (prompt: string): Promise<string | undefined> => {
    const wasMuted = drawn.isMuted
    drawn.isMuted = false
    lines.setPrompt(prompt)
    if (waiting.length === 0 && !isClosed) lines.prompt(true)
    try {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined || isClosed || running?.signal.aborted) return next
        await new Promise<void>((resolve) => {
          wake = resolve
          running?.signal.addEventListener('abort', () => resolve())
        })
      }
    } finally {
      drawn.isMuted = wasMuted
    }
  }
  const run = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    running = new AbortController()
    drawn.isMuted = true
    try {
      await work(running.signal)
    } catch (thrown) {
      const failure = toAppError(thrown)
      if (running.signal.aborted && failure.code === 'stopped') terminal.err(STOPPED)
      else {
        terminal.trace(thrown)
        reportFailure(failure, false, terminal)
      }
    } finally {
      running = undefined
      drawn.isMuted = false
    }
  }
  return { line, run }
}

interface AskNames {
  /** Completions of the word before the cursor, and that word. */
  complete(before: string): Promise<readonly [choices: readonly string[], word: string]>
  skills(): Promise<readonly string[]>
}

interface Known {
  /** Names of tables, stories and documents. */
  readonly at: readonly string[]
  readonly skills: readonly string[]
}

/** Names for @ and / in a question, loaded on first use. */
function openAskNames(ctx: Context): AskNames {
  let known: Promise<Known> | undefined
  const names = (): Promise<Known> => (known ??= readNames(ctx).catch(() => ({ at: [], skills: [] })))
  return {
    skills: async () => (await names()).skills,
    async complete(before) {
      const word = /(?:^|[\s([{"'“‘,;:])([@/][^\s"]*|@"[^"]*)$/u.exec(before)?.[1] ?? ''
      if (word === '') return [[], '']
      const { at, skills } = await names()
      const isFirst = before.trimStart() === word
      const all = word.startsWith('@') ? at : [...(isFirst ? ASK_COMMANDS : []), ...skills.map((skill) => `/${skill}`)]
      const wanted = word.replace(/^@"/, '@').toLowerCase()
      const found = all.filter((name) => name.replace(/^@"/, '@').toLowerCase().startsWith(wanted))
      // A table also matches by its name without the schema.
      const within =
        word.startsWith('@') && found.length === 0 ? all.filter((name) => hasPart(name, wanted.slice(1))) : []
      return [[...found, ...within], word]
    },
  }
}

const hasPart = (name: string, wanted: string): boolean => wanted !== '' && name.toLowerCase().includes(`.${wanted}`)

async function readNames(ctx: Context): Promise<Known> {
  const all = await readMentions(ctx)
  return {
    at: all.filter(({ kind }) => kind !== 'skill').map(({ mention }) => mention),
    skills: all.filter(({ kind }) => kind === 'skill').map(({ name }) => name),
  }
}
