import {
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { ChatEvent } from '../../analyst/domain/chat/event.ts'
import type { ChatPart } from '../../analyst/domain/chat/part.ts'
import { stepDoing } from '../../analyst/domain/chat/step-words.ts'
import { withoutPerson } from '../../analyst/operations/without-person.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import type { Context, Offered } from '../../operations/context.ts'

type Request = ServerContext['mcpReq']
type Input = Readonly<Record<string, unknown>>

const KEY = 'asked_back'

/**
 * The analyst's question as a form of the client, if it supports forms; the client calls again with the person's
 * answer. Otherwise undefined: the question is then part of the answer, with the chat in which to continue.
 */
export function askBack(output: Input, client: ClientCapabilities | undefined): InputRequiredResult | undefined {
  const { end, question, options, chat } = output
  if (end !== 'asked' || typeof question !== 'string' || typeof chat !== 'string' || !showsForms(client))
    return undefined
  const choices = (Array.isArray(options) ? options : []).map(String)
  const properties = {
    ...(choices.length > 0 && { choice: { type: 'string' as const, title: 'Choose', enum: choices } }),
    answer: {
      type: 'string' as const,
      title: choices.length > 0 ? 'Or in your own words' : 'Answer',
      maxLength: 10_000,
    },
  }
  return inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: visible(question),
        requestedSchema: { type: 'object', properties, required: choices.length > 0 ? [] : ['answer'] },
      }),
    },
    requestState: chat,
  })
}

/**
 * The input of the second call, if the first returned a question: the person's answer, in the same chat. The chat comes
 * from the client, which could name any of the user's chats in the arguments as well. Undefined if the person did not
 * answer.
 */
export function inputAnswered(input: unknown, request: Request): { readonly input: unknown } | undefined {
  const response = inputResponse(request.inputResponses, KEY)
  const chat = request.requestState()
  if (response.kind !== 'elicit' || typeof chat !== 'string') return { input }
  const { answer, choice } = (response.action === 'accept' ? (response.content ?? {}) : {}) as Input
  const said = [answer, choice].find((one) => typeof one === 'string' && one.trim() !== '')
  if (said === undefined) return undefined
  return { input: { ...(input as Input), question: said, chat, continue: false } }
}

/**
 * Reports every step to the client, if requested. A call that needs approval is shown in a form of the client, if it
 * supports forms; nothing waits for a person who cannot be prompted.
 */
export function stepsTold(
  ctx: Offered,
  request: Request,
  client: ClientCapabilities | undefined,
): Pick<Context, 'hear' | 'asksPerson'> {
  const token = request._meta?.progressToken
  const asksPerson = showsForms(client)
  const settle = asksPerson ? askedInForm(ctx, request) : withoutPerson(ctx)
  let steps = 0
  const hear = (event: ChatEvent): void => {
    void settle(event)
    const message = token === undefined ? undefined : stepOf(event)
    if (message === undefined) return
    const params = { progressToken: token, progress: ++steps, message: visible(message) }
    request.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
  return { hear, asksPerson }
}

function askedInForm({ turns }: Partial<Pick<Context, 'turns'>>, request: Request): NonNullable<Context['hear']> {
  let chat = ''
  return async (event: ChatEvent) => {
    if (event.type === 'message') chat = event.message.chat
    if (event.type !== 'part' || event.part.kind !== 'approval') return
    const { call } = event.part
    const { action } = await request
      .elicitInput({ message: approvalQuestion(event.part), requestedSchema: { type: 'object', properties: {} } })
      // A client that cannot be prompted during a call has not approved.
      .catch(() => ({ action: 'cancel' }))
    await turns?.settle(chat, call, action === 'accept' ? 'once' : 'no')
  }
}

const approvalQuestion = ({ tool, input, own }: Extract<ChatPart, { kind: 'approval' }>): string =>
  visible(
    `${own ? 'The analyst has read text that you did not write, and now wants to call' : 'The analyst wants to call'} ${tool}${own ? '' : ", which is not Ken's own,"} with:\n\n${JSON.stringify(input ?? {}, null, 2)}`,
  )

function stepOf(event: ChatEvent): string | undefined {
  if (event.type !== 'part') return undefined
  if (event.part.kind === 'call') return stepDoing(event.part)
  if (event.part.kind === 'notice') return event.part.text
  return event.part.kind === 'injected' ? 'thinking' : undefined
}

const APPROVAL_KEY = 'approval'

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
  const response = inputResponse(responses, APPROVAL_KEY)
  if (response.kind !== 'elicit')
    return {
      ask: inputRequired({
        inputRequests: {
          [APPROVAL_KEY]: inputRequired.elicit({
            message: visible(question),
            requestedSchema: { type: 'object', properties: {} },
          }),
        },
      }),
    }
  return { answer: { accept: 'yes', decline: 'no', cancel: 'none' }[response.action] as 'yes' | 'no' | 'none' }
}

/** A client that declares no kind of form supports forms; one that declares only URLs does not. */
function showsForms(client: ClientCapabilities | undefined): boolean {
  const kinds = client?.elicitation
  return kinds !== undefined && (kinds.form !== undefined || kinds.url === undefined)
}
