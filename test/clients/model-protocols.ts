import type { ServerResponse } from 'node:http'

export interface OfferedTool {
  readonly name: string
  /** The name to call it by, and the group it stands in where a protocol has groups. */
  readonly called: string
  readonly group?: string
}

/** What a client sent to the model. */
export interface Asked {
  readonly tools: readonly OfferedTool[]
  /** What tools say of themselves; some clients put the instructions of their server there. */
  readonly toolTexts: readonly string[]
  /** Every other text: instructions, what the person said, what hooks added, answers of tools. */
  readonly texts: readonly string[]
  /** What tools answered; `tool` where the protocol names it. */
  readonly answers: readonly { readonly tool: string | undefined; readonly text: string }[]
}

export type Spoken = { readonly text: string } | { readonly call: OfferedTool; readonly input: object }

export interface Protocol {
  read(body: any): Asked
  answer(response: ServerResponse, reply: { body: any; path: string; spoken: Spoken }): void
}

export function protocolOf(path: string): Protocol | undefined {
  if (path.endsWith('/chat/completions')) return CHAT
  if (path.endsWith('/responses')) return RESPONSES
  if (path.endsWith('/messages')) return MESSAGES
  return /:(?:stream)?generateContent$/i.test(path) ? GEMINI : undefined
}

// One conversation at a time: what a call was about is found by the id it was given.
const CALLS = new Map<string, string>()
const idFor = (tool: OfferedTool): string => {
  const id = `call_${CALLS.size + 1}`
  CALLS.set(id, tool.name)
  return id
}

const CHAT: Protocol = {
  read: ({ messages = [], tools = [], ...rest }) => ({
    tools: tools.map(({ function: f }: any) => ({ name: f?.name ?? '', called: f?.name })),
    toolTexts: textsIn(tools),
    texts: textsIn([messages, rest]),
    answers: messages
      .filter(({ role }: any) => role === 'tool')
      .map((one: any) => ({ tool: CALLS.get(one.tool_call_id), text: textsIn(one.content).join('\n') })),
  }),
  answer(response, { body, spoken }) {
    const message =
      'text' in spoken
        ? { role: 'assistant', content: spoken.text }
        : {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                index: 0,
                id: idFor(spoken.call),
                type: 'function',
                function: { name: spoken.call.called, arguments: JSON.stringify(spoken.input) },
              },
            ],
          }
    const finish_reason = 'text' in spoken ? 'stop' : 'tool_calls'
    const about = { id: 'chat_1', created: 1, model: body.model }
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    if (!body.stream)
      return sendJson(response, {
        ...about,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      })
    const chunk = (delta: object, reason: string | null) => ({
      ...about,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...(reason !== null && { usage }),
    })
    sendEvents(response, [chunk(message, null), chunk({}, finish_reason)], 'data: [DONE]\n\n')
  },
}

const RESPONSES: Protocol = {
  read: ({ input = [], tools = [], ...rest }) => ({
    tools: tools.flatMap((tool: any) =>
      tool.type === 'namespace'
        ? tool.tools.map((one: any) => ({ name: `${tool.name}__${one.name}`, called: one.name, group: tool.name }))
        : tool.type === 'function'
          ? [{ name: tool.name, called: tool.name }]
          : [],
    ),
    toolTexts: textsIn(tools),
    texts: textsIn([input, rest]),
    answers: [input]
      .flat()
      .filter((item: any) => (item.type ?? '').endsWith('_output'))
      .map((item: any) => ({ tool: CALLS.get(item.call_id), text: textsIn(item.output).join('\n') })),
  }),
  answer(response, { body, spoken }) {
    const item =
      'text' in spoken
        ? {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: spoken.text, annotations: [] }],
          }
        : {
            type: 'function_call',
            id: 'fc_1',
            call_id: idFor(spoken.call),
            name: spoken.call.called,
            ...(spoken.call.group !== undefined && { namespace: spoken.call.group }),
            arguments: JSON.stringify(spoken.input),
            status: 'completed',
          }
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    }
    const whole = (status: string, output: object[]) => ({
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status,
      model: body.model,
      output,
      usage: status === 'completed' ? usage : null,
    })
    if (!body.stream) return sendJson(response, whole('completed', [item]))
    const events = [
      { type: 'response.created', response: whole('in_progress', []) },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole('completed', [item]) },
    ]
    sendEvents(
      response,
      events.map((event, sequence_number) => ({ ...event, sequence_number })),
    )
  },
}

const MESSAGES: Protocol = {
  read: ({ messages = [], tools = [], system }) => ({
    tools: tools.map(({ name }: any) => ({ name, called: name })),
    toolTexts: textsIn(tools),
    texts: textsIn([system, messages]),
    answers: messages
      .flatMap(({ content }: any) => (Array.isArray(content) ? content : []))
      .filter(({ type }: any) => type === 'tool_result')
      .map((block: any) => ({ tool: CALLS.get(block.tool_use_id), text: textsIn(block.content).join('\n') })),
  }),
  answer(response, { body, spoken }) {
    const isText = 'text' in spoken
    const id = isText ? '' : idFor(spoken.call)
    const block = isText
      ? { type: 'text', text: spoken.text }
      : { type: 'tool_use', id, name: spoken.call.called, input: spoken.input }
    const stop_reason = isText ? 'end_turn' : 'tool_use'
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [] as object[],
      stop_reason: null as string | null,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    }
    if (!body.stream) return sendJson(response, { ...message, content: [block], stop_reason })
    const opened = isText ? { type: 'text', text: '' } : { ...block, input: {} }
    const delta = isText
      ? { type: 'text_delta', text: spoken.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(spoken.input) }
    sendEvents(response, [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: opened },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ])
  },
}

const GEMINI: Protocol = {
  read: ({ contents = [], tools = [], systemInstruction }) => ({
    tools: tools.flatMap(({ functionDeclarations = [] }: any) =>
      functionDeclarations.map(({ name }: any) => ({ name, called: name })),
    ),
    toolTexts: textsIn(tools),
    texts: textsIn([systemInstruction, contents]),
    answers: contents
      .flatMap(({ parts = [] }: any) => parts)
      .filter((part: any) => part.functionResponse !== undefined)
      .map(({ functionResponse: { name, response } }: any) => ({ tool: name, text: textsIn(response).join('\n') })),
  }),
  answer(response, { body, path, spoken }) {
    const { responseMimeType, responseJsonSchema } = body.generationConfig ?? {}
    const part =
      responseMimeType === 'application/json' || responseJsonSchema !== undefined
        ? { text: JSON.stringify(ROUTED) }
        : 'text' in spoken
          ? { text: spoken.text }
          : { functionCall: { name: spoken.call.called, args: spoken.input } }
    const whole = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: 'scripted',
    }
    if (/:stream/i.test(path)) sendEvents(response, [whole])
    else sendJson(response, whole)
  },
}

/** Gemini CLI asks a model first which model to ask, and later whose turn it is. */
const ROUTED = {
  reasoning: 'scripted',
  model_choice: 'flash',
  complexity_reasoning: 'scripted',
  complexity_score: 1,
  next_speaker: 'user',
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function sendEvents(response: ServerResponse, events: readonly object[], last = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const event of events) {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(last)
}
