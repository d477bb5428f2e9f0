import { piecesOf, textOf, type Answer, type Protocol, type StreamEvent } from './protocol.ts'

/** OpenAI's newer endpoint, as used by Codex, OpenAI and Azure. */
export const RESPONSES: Protocol = {
  read({ input = [], tools = [], instructions }) {
    const items: any[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
    const isSystem = ({ role }: any): boolean => role === 'system' || role === 'developer'
    const called = new Map(
      items.filter(({ type }) => type === 'function_call').map(({ call_id, name }) => [call_id, name]),
    )
    const answers = items.filter(({ type }) => (type ?? '').endsWith('_output'))
    return {
      system: [textOf(instructions), ...items.filter(isSystem).map(({ content }) => textOf(content))].join('\n').trim(),
      messages: items.flatMap((item) => {
        if (answers.includes(item)) return [{ role: 'tool' as const, text: textOf(item.output) }]
        return item.role === undefined || isSystem(item) ? [] : [{ role: item.role, text: textOf(item.content) }]
      }),
      tools: tools.flatMap((tool: any) =>
        tool.type === 'namespace'
          ? tool.tools.map((one: any) => ({ ...offered(one), name: `${tool.name}__${one.name}`, group: tool.name }))
          : tool.type === 'function'
            ? [offered(tool)]
            : [],
      ),
      answers: answers.map(({ call_id, output }) => ({ tool: called.get(call_id), text: textOf(output) })),
    }
  },
  isStreamed: ({ stream }) => stream === true,
  whole: (answer) => response(answer, ended(answer), outputOf(answer)),
  stream(answer) {
    const output = outputOf(answer)
    const events: StreamEvent[] = [
      { data: { type: 'response.created', response: response(answer, 'in_progress', []) } },
      ...output.flatMap((item, output_index) => streamed(item, output_index)),
      { data: { type: `response.${ended(answer)}`, response: response(answer, ended(answer), output) } },
    ]
    return events.map(({ data, ...more }, sequence_number) => ({ data: { ...data, sequence_number }, ...more }))
  },
  failure: (status) => ({
    type: 'error',
    sequence_number: 1,
    error: { type: 'server_error', code: String(status), message: 'the script says no', param: null },
  }),
}

const offered = ({ name, description = '', parameters }: any) => ({
  name,
  called: name,
  description,
  schema: parameters,
})

const ended = ({ end }: Answer): 'completed' | 'incomplete' => (end === 'stop' ? 'completed' : 'incomplete')

function outputOf(answer: Answer): any[] {
  return [
    ...(answer.think
      ? [
          {
            type: 'reasoning',
            id: `rs_${answer.id}`,
            encrypted_content: `sealed(${answer.think})`,
            summary: [{ type: 'summary_text', text: answer.think }],
          },
        ]
      : []),
    ...(answer.say
      ? [
          {
            type: 'message',
            id: `msg_${answer.id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: answer.say, annotations: [] }],
          },
        ]
      : []),
    ...answer.calls.map(({ id, tool, input }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name: tool.called,
      ...(tool.group !== undefined && { namespace: tool.group }),
      arguments: input,
      status: 'completed',
    })),
  ]
}

function streamed(item: any, output_index: number): StreamEvent[] {
  const at = { item_id: item.id, output_index }
  const pieces = (text: string, event: object) =>
    piecesOf(text).map((delta) => ({ data: { ...event, ...at, delta }, words: delta.length }))
  const inside = (): StreamEvent[] => {
    if (item.type === 'function_call')
      return [
        ...pieces(item.arguments, { type: 'response.function_call_arguments.delta' }),
        { data: { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments } },
      ]
    if (item.type === 'message')
      return pieces(item.content[0].text, { type: 'response.output_text.delta', content_index: 0 })
    const part = { ...at, summary_index: 0, part: item.summary[0] }
    return [
      { data: { type: 'response.reasoning_summary_part.added', ...part, part: { type: 'summary_text', text: '' } } },
      ...pieces(item.summary[0].text, { type: 'response.reasoning_summary_text.delta', summary_index: 0 }),
      { data: { type: 'response.reasoning_summary_part.done', ...part } },
    ]
  }
  const begun = {
    ...item,
    ...(item.type === 'function_call' && { arguments: '', status: 'in_progress' }),
    ...(item.type === 'message' && { content: [], status: 'in_progress' }),
    ...(item.type === 'reasoning' && { summary: [], encrypted_content: '' }),
  }
  return [
    { data: { type: 'response.output_item.added', output_index, item: begun } },
    ...inside(),
    { data: { type: 'response.output_item.done', output_index, item } },
  ]
}

const response = (answer: Answer, status: string, output: object[]): object => ({
  id: `resp_${answer.id}`,
  object: 'response',
  created_at: 1,
  status,
  model: answer.model,
  output,
  incomplete_details:
    status === 'incomplete' ? { reason: answer.end === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
  usage:
    status === 'in_progress'
      ? null
      : {
          input_tokens: answer.usage.input,
          input_tokens_details: { cached_tokens: answer.usage.cached },
          output_tokens: answer.usage.output,
          output_tokens_details: { reasoning_tokens: answer.usage.reasoning },
          total_tokens: answer.usage.input + answer.usage.output,
        },
})
