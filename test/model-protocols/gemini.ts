import { parsed, piecesOf, textsIn, type Answer, type Protocol } from './protocol.ts'

/** Gemini's generateContent. */
export const GEMINI: Protocol = {
  read({ contents = [], tools = [], systemInstruction }) {
    const said = ({ parts = [] }: any): string => parts.map(({ text = '' }: any) => text).join('')
    const results = contents.flatMap(({ parts = [] }: any) => parts.filter((part: any) => part.functionResponse))
    return {
      system: systemInstruction === undefined ? '' : said(systemInstruction),
      messages: contents.map((one: any) =>
        (one.parts ?? []).some((part: any) => part.functionResponse)
          ? { role: 'tool', text: textsIn(one.parts).join('\n') }
          : { role: one.role === 'model' ? 'assistant' : 'user', text: said(one) },
      ),
      tools: tools.flatMap(({ functionDeclarations = [] }: any) =>
        functionDeclarations.map(({ name, description = '', parameters, parametersJsonSchema }: any) => ({
          name,
          called: name,
          description,
          schema: parametersJsonSchema ?? parameters,
        })),
      ),
      answers: results.map(({ functionResponse: { name, response } }: any) => ({
        tool: name,
        text: textsIn(response.content ?? response).join('\n'),
      })),
    }
  },
  isStreamed: (_body, path) => /:stream/i.test(path),
  whole: (answer) =>
    whole(
      answer,
      partsOf(answer).map(({ part }) => part),
      true,
    ),
  stream: (answer) => [
    ...partsOf(answer).map(({ part, words }) => ({ data: whole(answer, [part], false), words })),
    { data: whole(answer, [{ text: '' }], true) },
  ],
  failure: (status) => ({ error: { code: status, message: 'the script says no', status: 'UNAVAILABLE' } }),
}

function partsOf({ think, say, calls }: Answer): { part: object; words: number }[] {
  return [
    ...piecesOf(think).map((text) => ({ part: { text, thought: true }, words: text.length })),
    ...piecesOf(say).map((text) => ({ part: { text }, words: text.length })),
    ...calls.map(({ tool, input }) => ({
      part: {
        functionCall: { name: tool.called, args: parsed(input) },
        thoughtSignature: `signed(${tool.called})`,
      },
      words: input.length,
    })),
  ]
}

const REASONS = { stop: 'STOP', length: 'MAX_TOKENS', refused: 'SAFETY' }

const whole = ({ usage, end }: Answer, parts: object[], isLast: boolean): object => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(isLast && { finishReason: REASONS[end] }) }],
  usageMetadata: {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    cachedContentTokenCount: usage.cached,
    totalTokenCount: usage.input + usage.output,
  },
  modelVersion: 'scripted',
})
