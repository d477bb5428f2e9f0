/** A tool offered in a request. */
export interface OfferedTool {
  readonly name: string
  /** Name used in a call; `group` is set if the protocol has groups. */
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

/** A client's request to the model, in any protocol. */
export interface Asked {
  readonly system: string
  readonly messages: readonly AskedMessage[]
  readonly tools: readonly OfferedTool[]
  /** Tool results, in order; `tool` if the conversation names the call. */
  readonly answers: readonly { readonly tool: string | undefined; readonly text: string }[]
}

/** One model answer, before a protocol encodes it. */
export interface Answer {
  readonly model: string
  /** Unique on this server. */
  readonly id: string
  readonly think: string
  readonly say: string
  readonly calls: readonly {
    readonly id: string
    readonly tool: Pick<OfferedTool, 'called' | 'group'>
    /** JSON, or other text given by the script. */
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

/** One event of a stream; `words` is the number of characters written by the model in it. */
export interface StreamEvent {
  readonly data: object
  readonly words?: number
}

export interface Protocol {
  read(body: any): Asked
  isStreamed(body: any, path: string): boolean
  whole(answer: Answer): object
  stream(answer: Answer): StreamEvent[]
  /** Encodes one event; server-sent events if absent. */
  encode?(data: object): Buffer
  /** End of every stream. */
  readonly last?: string
  /** A failure in the middle of a stream. */
  failure(status: number): object
}

/** Splits as models stream: a word at a time. */
export const piecesOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []

export const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** The text of a message: a text, or blocks of which some are text. */
export const textOf = (content: any): string =>
  typeof content === 'string'
    ? content
    : [content ?? []]
        .flat()
        .map((block: any) => (typeof block === 'string' ? block : (block?.text ?? '')))
        .join('')

/** The parsed value, or the script's text if it is not JSON. */
export const parsed = (input: string): unknown => {
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
