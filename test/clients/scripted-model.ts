import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { protocolOf, type Asked, type Spoken } from './model-protocols.ts'

/** What the model does: it calls one tool and, once that was answered, ends. */
export interface Script {
  /** How the name of the tool ends, whatever a client puts before it. */
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface ScriptedModel {
  readonly url: string
  /** Every request that a client made, as far as it is understood. */
  readonly asked: readonly Asked[]
  close(): Promise<void>
}

/** A model that follows a script, for clients that speak to OpenAI (chat and responses), Anthropic or Gemini. */
export async function openScriptedModel(script: Script): Promise<ScriptedModel> {
  const asked: Asked[] = []
  const http = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const path = incoming.url!.split('?')[0]!
    const protocol = protocolOf(path)
    if (protocol === undefined) return other(path, response)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    const request = protocol.read(body)
    asked.push(request)
    protocol.answer(response, { body, path, spoken: next(script, request) })
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((done) => {
        http.closeAllConnections()
        http.close(() => done())
      }),
  }
}

function next(script: Script, { tools, answers }: Asked): Spoken {
  const tool = tools.find(({ name }) => name.endsWith(script.tool))
  if (tool === undefined) {
    // Claude Code and Qwen Code may keep a tool back until it is looked for.
    const search = answers.length === 0 ? tools.find(({ name }) => /^tool_?search$/i.test(name)) : undefined
    return search ? { call: search, input: { query: script.tool, max_results: 5 } } : { text: 'No such tool.' }
  }
  const isAnswered = answers.some(({ tool: of }) => of === undefined || of.endsWith(script.tool))
  return isAnswered ? { text: 'DONE' } : { call: tool, input: script.input }
}

/** What clients ask for besides: lists of models, counts of tokens. */
function other(path: string, response: ServerResponse): void {
  const known = path.endsWith('/models')
    ? { object: 'list', data: [{ id: 'scripted', object: 'model' }] }
    : /count_?tokens/i.test(path)
      ? { input_tokens: 10, totalTokens: 10 }
      : undefined
  response.writeHead(known === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(known ?? { error: { message: `nothing answers at ${path}` } }))
}
