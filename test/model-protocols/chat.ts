import { piecesOf, textOf, type Answer, type Protocol } from './protocol.ts'

/** Chat completions, as used by OpenAI, Ollama, Mistral, OpenRouter and most servers. */
export const CHAT: Protocol = {
  read({ messages = [], tools = [] }) {
    const isSystem = ({ role }: any): boolean => role === 'system' || role === 'developer'
    const called = new Map(
      messages.flatMap(({ tool_calls: calls = [] }: any) =>
        (calls ?? []).map((call: any) => [call.id, call.function.name]),
      ),
    )
    return {
      system: messages
        .filter(isSystem)
        .map((one: any) => textOf(one.content))
        .join('\n'),
      messages: messages
        .filter((one: any) => !isSystem(one))
        .map(({ role, content }: any) => ({ role, text: textOf(content) })),
      tools: tools.map(({ function: f }: any) => ({
        name: f?.name ?? '',
        called: f?.name ?? '',
        description: f?.description ?? '',
        schema: f?.parameters,
      })),
      answers: messages
        .filter(({ role }: any) => role === 'tool')
        .map((one: any) => ({ tool: called.get(one.tool_call_id), text: textOf(one.content) })),
    }
  },
  isStreamed: ({ stream }) => stream === true,
  whole: (answer) => ({
    ...about(answer),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.say || null,
          ...(answer.think && thought(answer.think)),
          ...(answer.calls.length > 0 && { tool_calls: answer.calls.map((call) => toCall(call, call.input)) }),
        },
        finish_reason: reason(answer),
      },
    ],
    usage: usage(answer),
  }),
  stream(answer) {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...about(answer),
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const pieces = (text: string, delta: (piece: string) => object) =>
      piecesOf(text).map((piece) => ({ data: chunk(delta(piece)), words: piece.length }))
    return [
      { data: chunk({ role: 'assistant', content: '' }) },
      ...pieces(answer.think, thought),
      ...pieces(answer.say, (content) => ({ content })),
      ...answer.calls.flatMap((call, index) => [
        { data: chunk({ tool_calls: [{ index, ...toCall(call, '') }] }) },
        ...piecesOf(call.input).map((piece) => ({
          data: chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
          words: piece.length,
        })),
      ]),
      { data: { ...chunk({}, reason(answer)), usage: usage(answer) } },
    ]
  },
  last: 'data: [DONE]\n\n',
  failure: (status) => ({ error: { message: 'the script says no', type: 'server_error', code: status } }),
}

/** Servers use either field name. */
const thought = (text: string): object => ({ reasoning_content: text, reasoning: text })

const about = ({ id, model }: Answer): object => ({ id: `chat_${id}`, created: 1, model })

const toCall = ({ id, tool }: Answer['calls'][number], input: string): object => ({
  id,
  type: 'function',
  function: { name: tool.called, arguments: input },
})

function reason({ end, calls }: Answer): string {
  if (end === 'length') return 'length'
  if (end === 'refused') return 'content_filter'
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

const usage = ({ usage: { input, output, cached, reasoning } }: Answer): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})
