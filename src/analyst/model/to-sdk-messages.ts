import type { ModelMessage as SdkMessage, ToolSet, jsonSchema as toSchema, JSONValue } from 'ai'
import { redactDeep } from '../../kernel/domain/secrets/redact-deep.ts'
import type { ModelMessage, ModelTool } from '../../kernel/ports/language-model.ts'
import type { Redactor } from '../../kernel/ports/redactor.ts'

/** The conversation in SDK format, without secrets. */
export function toSdkMessages(messages: readonly ModelMessage[], redactor: Redactor): Promise<SdkMessage[]> {
  return Promise.all(messages.map((message) => toSdkMessage(message, redactor)))
}

export async function toSdkTools(
  tools: readonly ModelTool[],
  jsonSchema: typeof toSchema,
  redactor: Redactor,
): Promise<ToolSet> {
  const offered = tools.map(async ({ name, description, schema }) => {
    const { text } = await redactor.redact(description)
    return [name, { description: text, inputSchema: jsonSchema(redactDeep(schema).value) }] as const
  })
  return Object.fromEntries(await Promise.all(offered))
}

type PartOf<Role extends SdkMessage['role']> = Exclude<Extract<SdkMessage, { role: Role }>['content'], string>[number]

async function toSdkMessage(message: ModelMessage, redactor: Redactor): Promise<SdkMessage> {
  const clean = async (text: string): Promise<string> => (await redactor.redact(text)).text
  if (message.role === 'user')
    return {
      role: 'user',
      content: await Promise.all(
        message.content.map(async (part): Promise<PartOf<'user'>> =>
          part.type === 'text'
            ? { type: 'text', text: await clean(part.text) }
            : { type: 'file', data: part.base64, mediaType: part.mediaType },
        ),
      ),
    }
  if (message.role === 'tool')
    return {
      role: 'tool',
      content: await Promise.all(
        message.content.map(async ({ id, name, text, failed }) => ({
          type: 'tool-result' as const,
          toolCallId: id,
          toolName: name,
          output: { type: failed ? ('error-text' as const) : ('text' as const), value: await clean(text) },
        })),
      ),
    }
  const content = await Promise.all(message.content.map((part) => toAssistantPart(part, clean)))
  return { role: 'assistant', content: content.filter((part) => part !== undefined) }
}

async function toAssistantPart(
  part: Extract<ModelMessage, { role: 'assistant' }>['content'][number],
  clean: (text: string) => Promise<string>,
): Promise<PartOf<'assistant'> | undefined> {
  if (part.type === 'text') return { type: 'text', text: await clean(part.text) }
  const carried = part.carry === undefined ? {} : { providerOptions: part.carry as Carried }
  if (part.type === 'call')
    return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: asObject(part.input), ...carried }
  const text = await clean(part.text)
  // Reasoning is signed: a provider rejects changed reasoning, and accepts missing reasoning.
  if (text !== part.text && part.carry !== undefined) return undefined
  return { type: 'reasoning', text, ...carried }
}

/** Metadata received with a part is sent back with it as options. */
type Carried = Record<string, Record<string, JSONValue>>

/** Wraps the input of a call: some providers reject a conversation in which an input is not an object. */
function asObject(input: unknown): object {
  const { value } = redactDeep(input)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { raw: value }
}
