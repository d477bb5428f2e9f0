import { appendFileSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { protocolOf } from './model-protocols/protocol-of.ts'
import { textsIn, type Answer, type Asked, type ModelUsage, type Protocol } from './model-protocols/protocol.ts'

/** One reply of the model. A string is its text. */
export type ScriptedStep =
  | string
  | {
      /** Reasoning before the text. */
      readonly think?: string
      readonly say?: string
      readonly call?: ScriptedCall
      /** Several calls in one reply. */
      readonly calls?: readonly ScriptedCall[]
      readonly usage?: Partial<ModelUsage>
      /** Why the reply did not end normally. */
      readonly end?: 'length' | 'refused'
      /** Milliseconds before each chunk. */
      readonly slow?: number
      /** Number of characters after which the connection breaks. */
      readonly cut?: number
      /** Error status; with text, the reply fails in the middle of the stream. */
      readonly fail?: number
      readonly headers?: Readonly<Record<string, string>>
      /** Invalid data instead of the reply, or after its text. */
      readonly garbage?: true | string
      /** The complete response, for endpoints that are not models. */
      readonly json?: unknown
      /** Never replies, or sends nothing after the text. */
      readonly silence?: true
    }

export interface ScriptedCall {
  /** Name of the tool, or the end of its name: clients add a prefix. */
  readonly tool: string
  /** A string is sent unchanged, whether it is JSON or not. */
  readonly input: object | string
}

/** `at` counts the previous requests to this script. */
export type Answering = (request: ModelRequest, at: number) => ScriptedStep | Promise<ScriptedStep>
export type Script = Answering | readonly (ScriptedStep | Answering)[]

export interface ModelRequest extends Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: any
  /** Everything the model received: instructions, messages, tool results, tool definitions. */
  readonly said: string
  /** The last user message. */
  readonly user: string
  /** True if the client disconnected before the end of the reply. */
  readonly aborted: boolean
}

export interface ScriptedModel {
  readonly url: string
  /** In order of arrival. */
  readonly requests: ModelRequest[]
  /** Requests that no script had a step for, and errors that scripts threw; they got a 400. */
  readonly strays: string[]
  /** Script for further requests. */
  reply: Script
  close(): Promise<void>
}

export interface ScriptedModelOptions {
  readonly scripts?: Readonly<Record<string, Script>>
  readonly port?: number
  /** Called for every request before it is answered. */
  readonly heard?: (request: ModelRequest) => void
}

/**
 * A scripted model on loopback. It works with OpenAI (chat and responses), Anthropic, Gemini and Bedrock clients,
 * streamed or not, any number at once. With `scripts`, the first one with a name that occurs in the user messages
 * answers; `script` answers the others. Each advances one step per request.
 */
export async function openScriptedModel(
  script: Script,
  { scripts = {}, port = 0, heard = () => {} }: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const counts = new Map<Script, number>()
  const http = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const path = incoming.url!.split('?')[0]!
    const protocol = protocolOf(path)
    if (protocol === undefined && isAskedBeside(path)) return sendJson(response, 200, beside(path))
    const body = JSON.parse(Buffer.concat(chunks).toString() || 'null')
    const request = {
      path,
      headers: incoming.headers,
      body,
      said: textsIn(body).join('\n'),
      user: '',
      aborted: false,
      ...(protocol?.read(body ?? {}) ?? NOTHING),
    }
    request.user = request.messages.findLast(({ role }) => role === 'user')?.text ?? ''
    response.on('close', () => (request.aborted = !response.writableFinished))
    model.requests.push(request)
    heard(request)
    const told = request.messages
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text)
      .join('\n')
    const named = Object.keys(scripts).find((name) => told.includes(name))
    const follows = named === undefined ? model.reply : scripts[named]!
    const at = counts.get(follows) ?? 0
    counts.set(follows, at + 1)
    try {
      const next = typeof follows === 'function' ? follows : follows[at]
      if (next === undefined) throw new Error(`${named ?? 'the script'} has no step ${at + 1} for: ${request.user}`)
      const step = typeof next === 'function' ? await next(request, at) : next
      const id = String(model.requests.length)
      await play(response, { request, protocol, step: typeof step === 'string' ? { say: step } : step, id })
    } catch (error) {
      model.strays.push(String(error))
      if (response.headersSent) response.destroy()
      else sendJson(response, 400, { error: { message: String(error) } })
    }
  })
  await new Promise<void>((ready) => http.listen(port, '127.0.0.1', ready))
  const model: ScriptedModel = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    strays: [],
    reply: script,
    close: () =>
      new Promise((done) => {
        http.closeAllConnections()
        http.close(() => done())
      }),
  }
  return model
}

const NOTHING: Asked = { system: '', messages: [], tools: [], answers: [] }

interface Playing {
  readonly request: ModelRequest
  readonly protocol: Protocol | undefined
  readonly step: Exclude<ScriptedStep, string>
  readonly id: string
}

async function play(response: ServerResponse, { request, protocol, step, id }: Playing): Promise<void> {
  const isSaid =
    step.say !== undefined || step.think !== undefined || step.call !== undefined || step.calls !== undefined
  if (step.silence && !isSaid) return
  if (step.slow !== undefined) await wait(step.slow)
  if ('json' in step) return sendJson(response, 200, step.json)
  if (step.fail !== undefined && !isSaid)
    return sendJson(response, step.fail, { error: { message: 'the script says no' } }, step.headers)
  const isStreamed = protocol?.isStreamed(request.body, request.path) ?? false
  response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json', ...step.headers })
  if (protocol === undefined || (step.garbage !== undefined && !isSaid))
    return void response.end(typeof step.garbage === 'string' ? step.garbage : 'data: <html>{"not": for you\n\n')
  const answer = answerOf(step, request, id)
  if (!isStreamed) {
    const text = JSON.stringify(protocol.whole(answer))
    if (step.cut === undefined) return void response.end(text)
    response.write(text.slice(0, step.cut + 1))
    return breakOff(response)
  }
  let sent = 0
  for (const { data, words = 0 } of protocol.stream(answer)) {
    if (response.destroyed) return
    if (step.cut !== undefined && sent + words > step.cut) return breakOff(response)
    // The end events follow the text, except in a stream that fails in the middle.
    if (
      sent >= lengthOf(answer) &&
      words === 0 &&
      sent > 0 &&
      (step.fail ?? step.garbage ?? step.silence) !== undefined
    )
      break
    if (step.slow !== undefined && words > 0) await wait(step.slow)
    sent += words
    writeEvent(response, data, protocol)
  }
  if (step.silence) return
  if (step.fail !== undefined) writeEvent(response, protocol.failure(step.fail), protocol)
  if (step.garbage !== undefined)
    response.write(typeof step.garbage === 'string' ? step.garbage : 'data: {"not": for you\n\n')
  response.end(protocol.last ?? '')
}

/** Flushes the written data before it breaks the connection. */
async function breakOff(response: ServerResponse): Promise<void> {
  await wait(20)
  response.destroy()
}

const lengthOf = ({ think, say, calls }: Answer): number =>
  think.length + say.length + calls.reduce((sum, { input }) => sum + input.length, 0)

function answerOf(step: Playing['step'], { body, path, tools }: ModelRequest, id: string): Answer {
  const { think = '', say = '' } = step
  const called = [...(step.call ? [step.call] : []), ...(step.calls ?? [])]
  const calls = called.map(({ tool: name, input }, index) => ({
    id: `call${id}x${index}`,
    tool: tools.find((tool) => tool.name === name) ??
      tools.find((tool) => tool.name.endsWith(name)) ?? { called: name },
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }))
  const output = Math.ceil((say.length + think.length) / 4) + calls.length * 20
  return {
    model: body.model ?? /models\/([^/:]+)/.exec(path)?.[1] ?? 'scripted',
    id,
    think,
    say,
    calls,
    usage: { input: 10, output: output || 1, cached: 0, reasoning: Math.ceil(think.length / 4), ...step.usage },
    end: step.end ?? 'stop',
  }
}

/** Side requests of clients: lists of models, token counts. */
const isAskedBeside = (path: string): boolean => path.endsWith('/models') || /count_?tokens/i.test(path)

const beside = (path: string): object =>
  path.endsWith('/models')
    ? { object: 'list', data: [{ id: 'scripted', object: 'model' }] }
    : { input_tokens: 10, totalTokens: 10 }

function sendJson(response: ServerResponse, status: number, value: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

function writeEvent(response: ServerResponse, data: object, { encode }: Protocol): void {
  if (encode !== undefined) return void response.write(encode(data))
  const name = 'type' in data ? `event: ${String(data.type)}\n` : ''
  response.write(`${name}data: ${JSON.stringify(data)}\n\n`)
}

/**
 * `node test/scripted-model.ts --script file.json [--port 4000] [--record requests.jsonl]`: the file contains a list of
 * steps, or an object of lists keyed by a text in the question (`""` answers all others). Prints its address.
 */
if (import.meta.main) {
  const { values } = parseArgs({
    options: { script: { type: 'string' }, port: { type: 'string' }, record: { type: 'string' } },
  })
  const read: Script | Record<string, Script> = JSON.parse(readFileSync(values.script!, 'utf8'))
  const scripts = Array.isArray(read) ? { '': read } : (read as Record<string, Script>)
  const heard = (request: ModelRequest): void => {
    if (values.record !== undefined) appendFileSync(values.record, `${JSON.stringify(request)}\n`)
  }
  const { url } = await openScriptedModel([], { scripts, port: Number(values.port ?? 0), heard })
  console.log(url)
}
