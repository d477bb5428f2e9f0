import { parsed, piecesOf, textOf, type Answer, type Protocol, type StreamEvent } from './protocol.ts'

/** Anthropic's messages. */
export const MESSAGES: Protocol = {
  read({ messages = [], tools = [], system }) {
    const blocks = (content: any): any[] => (Array.isArray(content) ? content : [])
    const called = new Map(
      messages.flatMap(({ content }: any) =>
        blocks(content)
          .filter(({ type }) => type === 'tool_use')
          .map(({ id, name }) => [id, name]),
      ),
    )
    const results = (content: any): any[] => blocks(content).filter(({ type }) => type === 'tool_result')
    return {
      system: textOf(system),
      messages: messages.flatMap(({ role, content }: any) => {
        const tools = results(content).map((block) => ({ role: 'tool' as const, text: textOf(block.content) }))
        const text = textOf(content)
        return text === '' && tools.length > 0 ? tools : [...tools, { role, text }]
      }),
      tools: tools.map(({ name, description = '', input_schema }: any) => ({
        name,
        called: name,
        description,
        schema: input_schema,
      })),
      answers: messages
        .flatMap(({ content }: any) => results(content))
        .map((block: any) => ({ tool: called.get(block.tool_use_id), text: textOf(block.content) })),
    }
  },
  isStreamed: ({ stream }) => stream === true,
  whole: (answer) => ({ ...message(answer), content: blocksOf(answer), stop_reason: reason(answer) }),
  stream: (answer) => [
    { data: { type: 'message_start', message: { ...message(answer), usage: usage(answer, 1) } } },
    ...blocksOf(answer).flatMap((block, index) => streamed(block, index, answer)),
    {
      data: {
        type: 'message_delta',
        delta: { stop_reason: reason(answer), stop_sequence: null },
        usage: { output_tokens: answer.usage.output },
      },
    },
    { data: { type: 'message_stop' } },
  ],
  failure: () => ({ type: 'error', error: { type: 'overloaded_error', message: 'the script says no' } }),
}

function blocksOf({ think, say, calls }: Answer): any[] {
  return [
    ...(think ? [{ type: 'thinking', thinking: think, signature: `signed(${think})` }] : []),
    ...(say ? [{ type: 'text', text: say }] : []),
    ...calls.map(({ id, tool, input }) => ({
      type: 'tool_use',
      id,
      name: tool.called,
      input: parsed(input),
      raw: input,
    })),
  ]
}

function streamed(block: any, index: number, { calls }: Answer): StreamEvent[] {
  const delta = (delta: object, words = 0): StreamEvent => ({
    data: { type: 'content_block_delta', index, delta },
    words,
  })
  const pieces = (text: string, name: string, type: string) =>
    piecesOf(text).map((piece) => delta({ type, [name]: piece }, piece.length))
  const inside = (): StreamEvent[] => {
    if (block.type === 'text') return pieces(block.text, 'text', 'text_delta')
    if (block.type === 'tool_use')
      return pieces(calls.find(({ id }) => id === block.id)!.input, 'partial_json', 'input_json_delta')
    return [
      ...pieces(block.thinking, 'thinking', 'thinking_delta'),
      delta({ type: 'signature_delta', signature: block.signature }),
    ]
  }
  const begun = {
    ...block,
    ...(block.type === 'text' && { text: '' }),
    ...(block.type === 'thinking' && { thinking: '', signature: '' }),
    ...(block.type === 'tool_use' && { input: {} }),
  }
  return [
    { data: { type: 'content_block_start', index, content_block: begun } },
    ...inside(),
    { data: { type: 'content_block_stop', index } },
  ]
}

function reason({ end, calls }: Answer): string {
  if (end === 'length') return 'max_tokens'
  if (end === 'refused') return 'refusal'
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

const message = (answer: Answer) => ({
  id: `msg_${answer.id}`,
  type: 'message',
  role: 'assistant',
  model: answer.model,
  content: [] as object[],
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: usage(answer, answer.usage.output),
})

/** Anthropic counts cached input separately from the other input, not as a part of it. */
const usage = ({ usage: { input, cached } }: Answer, output: number): object => ({
  input_tokens: input - cached,
  output_tokens: output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cached,
})
