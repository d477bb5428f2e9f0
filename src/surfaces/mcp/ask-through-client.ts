import {
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
} from '@modelcontextprotocol/server'
import { visible } from '../../kernel/domain/trust/visible.ts'

const KEY = 'approval'

type Asked = { readonly answer: 'yes' | 'no' | 'none' } | { readonly ask: InputRequiredResult }

/**
 * Prompts the person through the client if possible: first returns the question, and when the client calls again the
 * answer. Closing the question is not an answer. The model's arguments cannot answer it.
 */
export function askThroughClient(
  question: string,
  client: ClientCapabilities | undefined,
  responses: Record<string, unknown> | undefined,
): Asked {
  if (question === '' || !showsForms(client)) return { answer: 'none' }
  const response = inputResponse(responses, KEY)
  if (response.kind !== 'elicit')
    return {
      ask: inputRequired({
        inputRequests: {
          [KEY]: inputRequired.elicit({
            message: visible(question),
            requestedSchema: { type: 'object', properties: {} },
          }),
        },
      }),
    }
  return { answer: { accept: 'yes', decline: 'no', cancel: 'none' }[response.action] as 'yes' | 'no' | 'none' }
}

/** A client that declares no kind of form supports forms; one that declares only URLs does not. */
export function showsForms(client: ClientCapabilities | undefined): boolean {
  const kinds = client?.elicitation
  return kinds !== undefined && (kinds.form !== undefined || kinds.url === undefined)
}
