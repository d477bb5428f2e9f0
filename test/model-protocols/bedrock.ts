import { crc32 } from 'node:zlib'
import { parsed, piecesOf, textOf, type Answer, type Protocol, type StreamEvent } from './protocol.ts'

/** Amazon Bedrock's Converse, which streams byte frames. */
export const BEDROCK: Protocol = {
  read({ messages = [], system = [], toolConfig = {} }) {
    const blocks = messages.flatMap(({ content = [] }: any) => content)
    const uses = blocks.flatMap(({ toolUse }: any) => toolUse ?? [])
    const called = new Map(uses.map(({ toolUseId, name }: any) => [toolUseId, name]))
    return {
      system: textOf(system),
      messages: messages.flatMap(({ role, content = [] }: any) => {
        const results = content.flatMap(({ toolResult }: any) => toolResult ?? [])
        const tools = results.map((one: any) => ({ role: 'tool', text: textOf(one.content) }))
        const text = textOf(content)
        return text === '' && tools.length > 0 ? tools : [...tools, { role, text }]
      }),
      tools: (toolConfig.tools ?? []).flatMap(({ toolSpec }: any) =>
        toolSpec === undefined
          ? []
          : [
              {
                name: toolSpec.name,
                called: toolSpec.name,
                description: toolSpec.description ?? '',
                schema: toolSpec.inputSchema?.json,
              },
            ],
      ),
      answers: blocks
        .flatMap(({ toolResult }: any) => toolResult ?? [])
        .map((one: any) => ({ tool: called.get(one.toolUseId), text: textOf(one.content) })),
    }
  },
  isStreamed: (_body, path) => path.endsWith('/converse-stream'),
  whole: (answer) => ({
    output: { message: { role: 'assistant', content: blocksOf(answer) } },
    stopReason: reason(answer),
    usage: usage(answer),
    metrics: { latencyMs: 1 },
  }),
  stream: (answer) => [
    { data: { messageStart: { role: 'assistant' } } },
    ...blocksOf(answer).flatMap((block, at) => streamed(block, at, answer)),
    { data: { messageStop: { stopReason: reason(answer) } } },
    { data: { metadata: { usage: usage(answer), metrics: { latencyMs: 1 } } } },
  ],
  encode(data) {
    const [type, payload] = Object.entries(data)[0]!
    return frame(type === 'throttlingException' ? 'exception' : 'event', type, Buffer.from(JSON.stringify(payload)))
  },
  failure: () => ({ throttlingException: { message: 'the script says no' } }),
}

function blocksOf({ think, say, calls }: Answer): any[] {
  return [
    ...(think ? [{ reasoningContent: { reasoningText: { text: think, signature: `signed(${think})` } } }] : []),
    ...(say ? [{ text: say }] : []),
    ...calls.map(({ id, tool, input }) => ({ toolUse: { toolUseId: id, name: tool.called, input: parsed(input) } })),
  ]
}

function streamed(block: any, contentBlockIndex: number, { think, say, calls }: Answer): StreamEvent[] {
  const delta = (inside: object, words = 0): StreamEvent => ({
    data: { contentBlockDelta: { contentBlockIndex, delta: inside } },
    words,
  })
  const pieces = (text: string, inside: (piece: string) => object) =>
    piecesOf(text).map((piece) => delta(inside(piece), piece.length))
  const stop = { data: { contentBlockStop: { contentBlockIndex } } }
  if (block.text !== undefined) return [...pieces(say, (text) => ({ text })), stop]
  if (block.toolUse === undefined) {
    const { signature } = block.reasoningContent.reasoningText
    const thoughts = pieces(think, (text) => ({ reasoningContent: { text } }))
    return [...thoughts, delta({ reasoningContent: { signature } }), stop]
  }
  const { toolUseId, name } = block.toolUse
  const { input } = calls.find(({ id }) => id === toolUseId)!
  return [
    { data: { contentBlockStart: { contentBlockIndex, start: { toolUse: { toolUseId, name } } } } },
    ...pieces(input, (piece) => ({ toolUse: { input: piece } })),
    stop,
  ]
}

function reason({ end, calls }: Answer): string {
  if (end === 'length') return 'max_tokens'
  if (end === 'refused') return 'content_filtered'
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

const usage = ({ usage: { input, output, cached } }: Answer): object => ({
  inputTokens: input - cached,
  outputTokens: output,
  totalTokens: input + output,
  cacheReadInputTokens: cached,
})

/** Length, length of the headers, a checksum of both, the headers, the payload, and a checksum of everything. */
function frame(message: string, type: string, payload: Buffer): Buffer {
  const headers = Buffer.concat(
    Object.entries({ [`:${message}-type`]: type, ':message-type': message, ':content-type': 'application/json' }).map(
      ([name, value]) => {
        const size = Buffer.alloc(3)
        size.writeUInt8(7)
        size.writeUInt16BE(value.length, 1)
        return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), size, Buffer.from(value)])
      },
    ),
  )
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(headers.length + payload.length + 16)
  prelude.writeUInt32BE(headers.length, 4)
  const body = Buffer.concat([prelude, sum(prelude), headers, payload])
  return Buffer.concat([body, sum(body)])
}

function sum(bytes: Buffer): Buffer {
  const written = Buffer.alloc(4)
  written.writeUInt32BE(crc32(bytes))
  return written
}
