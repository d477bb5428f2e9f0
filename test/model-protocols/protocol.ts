/** A tool that a request offers. */
export interface OfferedTool {
  readonly name: string
  /** The name to call it by, and the group it stands in where a protocol has groups. */
  readonly called: string
  readonly group?: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly schema: any
}

export interface AskedMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
}

/** What a client sent to the model, whatever the protocol. */
export interface Asked {
  readonly system: string
  readonly messages: readonly AskedMessage[]
  readonly tools: readonly OfferedTool[]
  /** What tools answered, in order; `tool` where the conversation tells which was called. */
  readonly answers: readonly { readonly tool: string | undefined; readonly text: string }[]
}

/** One answer of the model, before a protocol puts it into its own shape. */
export interface Answer {
  readonly model: string
  /** Unique on this server. */
  readonly id: string
  readonly think: string
  readonly say: string
  readonly calls: readonly {
    readonly id: string
    readonly tool: Pick<OfferedTool, 'called' | 'group'>
    /** JSON, or what a script has in its place. */
    readonly input: string
  }[]
  readonly usage: ModelUsage
  readonly end: 'stop' | 'length' | 'refused'
}

export interface ModelUsage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly reasoning: number
}

/** One event of a stream; `words` are the characters of the model's own that it carries. */
export interface StreamEvent {
  readonly data: object
  readonly words?: number
}

export interface Protocol {
  read(body: any): Asked
  isStreamed(body: any, path: string): boolean
  whole(answer: Answer): object
  stream(answer: Answer): StreamEvent[]
  /** How one event is written; as server-sent events where there is none. */
  encode?(data: object): Buffer
  /** What stands at the end of every stream. */
  readonly last?: string
  /** A failure in the middle of a stream. */
  failure(status: number): object
}

/** As models stream: a word at a time. */
export const piecesOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []

export const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** What a message says: a text, or blocks of which some are text. */
export const textOf = (content: any): string =>
  typeof content === 'string'
    ? content
    : [content ?? []]
        .flat()
        .map((block: any) => (typeof block === 'string' ? block : (block?.text ?? '')))
        .join('')

/** Where a protocol wants a value and a script has something else, that. */
export const parsed = (input: string): unknown => {
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
