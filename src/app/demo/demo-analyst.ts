import type { ConverseRequest, LanguageModel, ModelEvent } from '../../kernel/ports/language-model.ts'

/** The example analyst's turn for one question: its calls, in order, and its final text. */
export interface DemoTurn {
  readonly question: string
  readonly steps: readonly ((query: DemoQuery) => { readonly tool: string; readonly input: object })[]
  say(query: DemoQuery): string
}

/** Result of the example analyst's last statement. */
export interface DemoQuery {
  readonly id: string
  readonly rows: readonly (readonly string[])[]
}

/**
 * Replaces the model while the example's chats are created, so that no model is needed: its calls run through the same
 * gates over the real tables, and its texts are filled from their results.
 */
export const demoAnalyst = (turns: readonly DemoTurn[]): LanguageModel => ({
  id: 'demo:written',
  window: 32_000,
  write: async () => '',
  async *converse(request) {
    const turn = turns.findLast(({ question }) => asked(request).includes(question))
    const results = request.messages
      .slice(lastQuestion(request) + 1)
      .flatMap((one) => (one.role === 'tool' ? one.content : []))
    const query = queryOf(results.findLast(({ name }) => name === 'execute_sql')?.text ?? '')
    const step = turn?.steps[results.length]
    if (step !== undefined) {
      const { tool, input } = step(query)
      yield { type: 'call', id: `call${results.length}`, name: tool, input }
      yield ended('calls')
      return
    }
    yield { type: 'text', text: turn?.say(query) ?? '' }
    yield ended('stop')
  },
  close: async () => {},
})

const ended = (reason: 'stop' | 'calls'): ModelEvent => ({
  type: 'end',
  reason,
  usage: { input: 0, output: 0, cached: 0, reasoning: 0 },
})

const lastQuestion = ({ messages }: ConverseRequest): number => messages.findLastIndex(({ role }) => role === 'user')

function asked(request: ConverseRequest): string {
  const message = request.messages[lastQuestion(request)]
  return message?.role === 'user'
    ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    : ''
}

/** The cells of the table in a result's text. */
const queryOf = (text: string): DemoQuery => ({
  id: /\bq_[0-9a-f]{12}\b/.exec(text)?.[0] ?? '',
  rows: text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
})
