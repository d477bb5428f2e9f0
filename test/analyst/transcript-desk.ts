import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect } from 'vitest'
import { atTerminal, type Sitting } from '../pseudo-terminal.ts'
import {
  openScriptedModel,
  type Answering,
  type ModelRequest,
  type ScriptedModel,
  type ScriptedStep,
} from '../scripted-model.ts'

const FOLDER = join(import.meta.dirname, '..', 'transcripts')
const isWriting = process.env['KEN_TRANSCRIPTS'] === 'write'

export interface TranscriptDesk {
  readonly place: string
  readonly folder: string
  readonly model: ScriptedModel
  readonly env: Record<string, string>
  write(path: string, text: string): void
  open(): Transcript
  close(): Promise<void>
}

/** One session at a terminal as text: prose, `$ command`, the model's actions after `~ `, the screen after `> `. */
export interface Transcript {
  tell(prose: string): void
  /** Runs a command and returns the recorded screen. */
  type(words: readonly string[], scene?: Scene): Promise<string>
  /** Compares the transcript with the file, or writes it (`KEN_TRANSCRIPTS=write`). */
  keep(name: string): void
}

export interface Scene extends Partial<Sitting> {
  /** Steps in order; or, for concurrent requests, a function that answers each. */
  readonly script?: readonly (ScriptedStep | Answering)[] | Answering
}

/**
 * A separate folder and home, and a model that follows the script of one command after the other. Transcripts are
 * stored in the room of this name.
 */
export async function openTranscriptDesk(room = 'ask'): Promise<TranscriptDesk> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-said-')))
  const folder = join(place, 'shop')
  mkdirSync(folder)
  const model = await openScriptedModel([])
  const env = {
    HOME: place,
    KEN_HOME: join(place, 'home'),
    KEN_TELEMETRY: '0',
    KEN_EMBEDDINGS: '0',
    KEN_UPKEEP: '0',
    // Learning uses the same model, and would consume a step of its script.
    KEN_MEMORY_LEARN: '0',
    TMPDIR: place,
    PAGER: 'cat',
    KEN_MODEL: 'compatible:scripted',
    KEN_MODEL_URL: `${model.url}/v1`,
    ANTHROPIC_API_KEY: 'none',
  }
  return {
    place,
    folder,
    model,
    env,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    open: () => openTranscript({ cwd: folder, env, model, place, room }),
    async close() {
      await model.close()
      rmSync(place, { recursive: true, force: true })
    },
  }
}

export interface TranscriptPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly model: ScriptedModel
  /** The folder written as /place. */
  readonly place: string
  readonly room?: string
  /** Answers requests that are not part of the answer; undefined for those that are. */
  beside?(request: ModelRequest): ScriptedStep | undefined
}

export function openTranscript({ cwd, env, model, place, room = 'ask', beside }: TranscriptPlace): Transcript {
  const lines: string[] = []
  return {
    tell: (prose) => void lines.push(...(lines.length > 0 ? [''] : []), prose, ''),
    async type(words, { script = [], ...sitting } = {}) {
      const did: string[] = []
      let [heard, at] = [0, 0]
      const stepwise: Answering = async (request) => {
        if (typeof script === 'function') return script(request, at++)
        const aside = beside?.(request)
        if (aside !== undefined) return aside
        const next = script[at++]
        if (next === undefined) throw new Error(`no step ${at} for: ${request.user}`)
        const step = typeof next === 'function' ? await next(request, at) : next
        // Tool results of earlier turns are repeated in every request.
        if (at === 1) heard = request.answers.length
        did.push(...request.answers.slice(heard).map(({ text }) => `is told: ${gist(text)}`), ...doing(step))
        heard = request.answers.length
        return step
      }
      model.reply = stepwise
      const { text, code } = await atTerminal(words, { cwd, ...sitting, env: { ...env, ...sitting.env } })
      const screen = steady(settled(text), place)
      lines.push(
        `$ ken ${words.map((word) => (/^[\w@/.:=-]+$/.test(word) ? word : `'${word}'`)).join(' ')}`,
        ...did.map((line) => steady(`~ ${line}`, place)),
        ...screen
          .trimEnd()
          .split('\n')
          .map((line) => `> ${line}`.trimEnd()),
        ...(code === 0 ? [] : [`[exit ${code}]`]),
      )
      return screen
    },
    keep(name) {
      const path = join(FOLDER, room, `${name}.txt`)
      const said = `${lines.join('\n')}\n`
      if (isWriting) {
        mkdirSync(dirname(path), { recursive: true })
        return writeFileSync(path, said)
      }
      expect(said).toBe(existsSync(path) ? readFileSync(path, 'utf8') : `${basename(path)} is not there yet`)
    },
  }
}

/** The id of the last result that the model received, skipping the example in the prompt. */
export const lastQuery = ({ said }: ModelRequest): string =>
  [...said.matchAll(/q_(?!0123456789ab)[0-9a-f]{12}/g)].at(-1)![0]

function doing(step: ScriptedStep): string[] {
  if (typeof step === 'string') return [`says: ${step}`]
  const { say, call, calls = [], fail, garbage, silence, slow, cut } = step
  return [
    ...(say === undefined ? [] : [`says${slow === undefined ? '' : ' slowly'}: ${gist(say)}`]),
    ...[...(call === undefined ? [] : [call]), ...calls].map(({ tool, input }) => `calls ${tool}: ${inputOf(input)}`),
    ...(fail === undefined ? [] : [`fails with ${fail}`]),
    ...(garbage === undefined ? [] : ['sends garbage']),
    ...(silence === undefined ? [] : [`says ${say === undefined ? 'nothing' : 'no more'}`]),
    ...(cut === undefined ? [] : [`is cut off after ${cut} characters`]),
  ]
}

const inputOf = (input: object | string): string =>
  typeof input === 'string' ? input : 'sql' in input ? String(input.sql) : JSON.stringify(input)

/** Strips the envelope, which names the origin. */
function gist(text: string): string {
  const line = text
    .replaceAll(/<\/?ken-context[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length <= 240 ? line : `${line.slice(0, 240)}…`
}

/** The final screen: redrawn lines are gone. */
const settled = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line
        .slice(Math.max(line.lastIndexOf('\r\u001b[K'), line.lastIndexOf('\r\u001b[J')) + 1)
        .replaceAll(/\u001b\[[KJ]/g, ''),
    )
    .join('\n')

/** Replaces the parts that differ between runs: folders, ids, times, costs. */
const steady = (text: string, place: string): string =>
  text
    .replaceAll(place, '/place')
    .replaceAll(/\bq_(?!0123456789ab)[0-9a-f]{12}\b/g, 'q_ID')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ULID')
    .replaceAll(/\b01[0-9A-HJKMNP-TV-Z]{8}\b/g, 'ULID-START')
    .replaceAll(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?/g, 'TIME')
    .replaceAll(/ken-context-\w{4}/g, 'ken-context')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/, [\d.]+ m?s$/gm, '')
    .replaceAll(/\b[\d.]+ m?s\b/g, 'N s')
    .replaceAll(/\$\d+\.\d+/g, '$N')
