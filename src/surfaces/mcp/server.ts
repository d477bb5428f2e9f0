import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  McpServer,
  type ClientCapabilities,
  type Implementation,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { BUDGET } from '../../kernel/domain/answer-budget.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { spellNames } from '../../kernel/domain/named-operation.ts'
import { cleanOriginText, type Origin } from '../../kernel/domain/origin.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { durationBucket } from '../../kernel/ports/telemetry.ts'
import { answerText } from '../../operations/answer.ts'
import { call } from '../../operations/call.ts'
import { coerceInput, offeredFields, unwrapped } from '../../operations/coerce-input.ts'
import type { Offered } from '../../operations/context.ts'
import { listedSchema } from '../../operations/listed-schema.ts'
import type { OfferedToolset, Operation } from '../../operations/operation.ts'
import { isOffered } from '../../operations/registry-entry.ts'
import { REGISTRY, type RegisteredOperation } from '../../operations/registry.ts'
import { forAgents, FOR_PROGRAMS } from '../../operations/spelling.ts'
import { readsText } from '../../setup/domain/reads-text.ts'
import { askBack, inputAnswered, stepsTold, askThroughClient } from './ask-back.ts'
import { instructionsFor } from './instructions.ts'
import { PROMPTS } from './prompts.ts'
import { registerResources } from './resources.ts'

export interface McpOptions {
  readonly operations: readonly RegisteredOperation[]
  readonly toolsets: readonly OfferedToolset[]
  /** Whether the server's folder has a record; undefined if only a call names the folder. */
  readonly hasRecord?: boolean
  readonly version: string
  readonly surface: 'mcp-stdio' | 'mcp-http'
  /** Place named in the surrounding request; an argument of a call takes precedence. */
  readonly named?: NamedPlace
  /** The user agent header of the surrounding request: over HTTP there may be no session. */
  readonly userAgent?: string | undefined
  /** The client, if it is not named by the calls. */
  readonly caller?: Implementation
  /** The context of one call; `origin` names the calling program, `call` the call if known. */
  context(origin: Origin, named: NamedPlace, call?: string): Promise<Offered>
  /** Which tools are listed, if that differs between callers; the others can still be called and are refused. */
  lists?(): Promise<(operation: string) => boolean>
  /** Whether one connection persists for the session, so that a client can be notified of changes. */
  readonly subscribes?: boolean
  /** Logs the full error, if requested. */
  trace?(thrown: unknown): void
}

/** The project of a call, as far as its caller names it. */
export interface NamedPlace {
  /** Id or name. */
  readonly project?: string
  /** Absolute. */
  readonly directory?: string
  /** Whether the call works without a project. */
  readonly anywhere?: boolean
}

export function buildMcpServer(options: McpOptions): McpServer {
  const offered = options.operations.filter((op) => op.hiddenFrom.mcp === undefined && isOffered(op, options.toolsets))
  const offersRecord = offered.some((op) => op.toolset === 'record')
  const instructions = instructionsFor({
    record: offersRecord
      ? options.hasRecord === undefined
        ? 'any'
        : options.hasRecord
          ? 'here'
          : 'missing'
      : 'not offered',
    memory: offered.some((op) => op.toolset === 'memory'),
  })
  const server = new McpServer({ name: 'ken', title: 'Ken', version: options.version }, { instructions })
  for (const operation of offered) registerTool(server, operation, options)
  const { lists } = options
  if (lists && offered.length > 0)
    server.server.setRequestHandler('tools/list', async () => {
      const isListed = await lists()
      return { tools: offered.filter(({ name }) => isListed(name)).map((operation) => listedTool(operation, options)) }
    })
  registerResources(server, {
    offered,
    offersRecord,
    subscribes: options.subscribes ?? false,
    context: () => options.context(originOf(server, options), options.named ?? {}),
  })
  registerPrompts(server, new Set(offered.map(({ name }) => name)))
  return server
}

/** The tool description for a client. */
function toolOf(operation: Operation) {
  const isRead = operation.effect === 'read'
  return {
    description: spellNames(operation.summary, FOR_PROGRAMS),
    // No outputSchema: with one, the protocol requires data in every answer, even for a client that shows its model the
    // data instead of the text.
    annotations: {
      readOnlyHint: isRead,
      ...(isRead ? {} : { destructiveHint: operation.destructive }),
      idempotentHint: isRead || operation.isRepeatable,
      openWorldHint: false,
    },
    // Always-loaded tools need no search hint.
    _meta: operation.alwaysLoaded ? { 'anthropic/alwaysLoad': true } : { 'anthropic/searchHint': operation.searchHint },
  }
}

const schemaListed = (operation: Operation, { surface }: McpOptions) =>
  listedSchema(operation, { alone: surface === 'mcp-stdio' })

const listedTool = (operation: Operation, options: McpOptions) => ({
  name: operation.name,
  ...toolOf(operation),
  inputSchema: { type: 'object' as const, ...schemaListed(operation, options) },
})

function registerTool(server: McpServer, operation: Operation, options: McpOptions): void {
  const config = { ...toolOf(operation), inputSchema: schemaOf(schemaListed(operation, options)) }
  server.registerTool(operation.name, config, async (raw: unknown, { mcpReq }) => {
    const started = performance.now()
    let told = (_success: boolean) => {}
    try {
      const { named, input: given } = splitPlace(unwrapped(raw, operation), operation, options)
      const place = await options.context(originOf(server, options), named, callNamed(mcpReq))
      const { input, told: read } = coerceInput(operation, given, place.clock.now().getTime())
      const ctx = { ...place, notices: () => [...(place.notices?.() ?? []), ...read] }
      told = (success) =>
        ctx.telemetry.record({
          event: 'mcp.tool_called',
          tool_name: operation.name,
          transport: options.surface,
          success,
          duration_bucket: durationBucket(performance.now() - started),
        })
      const asked = askThroughClient(
        questionOf(operation, input),
        capabilitiesOf(server, mcpReq),
        mcpReq.inputResponses,
      )
      if ('ask' in asked) return asked.ask
      if (asked.answer === 'no')
        throw new AppError('forbidden', 'Declined. Nothing was recorded.', {
          hint: 'Ask the user what should change.',
        })
      const isTurn = operation.turn === 'begins'
      const meant = isTurn ? inputAnswered(input, mcpReq) : { input }
      if (meant === undefined) return textOnly(`The person did not answer. Go on in chat ${mcpReq.requestState()}.`)
      const answer = await call(
        {
          ...ctx,
          signal: mcpReq.signal,
          approved: asked.answer === 'yes',
          ...(isTurn && stepsTold(ctx, mcpReq, capabilitiesOf(server, mcpReq))),
        },
        operation,
        meant.input,
      )
      told(true)
      const back = isTurn ? askBack(answer.output, capabilitiesOf(server, mcpReq)) : undefined
      if (back !== undefined) return back
      const text = answerText(operation, answer, 'agent')
      const isTextOnly =
        (operation.isText && text.length > BUDGET.twice) || readsText(clientNamed(server, mcpReq, options))
      return {
        ...textOnly(text),
        ...(isTurn && answer.output['end'] === 'failed' && { isError: true }),
        ...(isTextOnly ? {} : { structuredContent: answer.output }),
      }
    } catch (thrown) {
      told(false)
      options.trace?.(thrown)
      const line = forAgents(spellNames(failureLine(toAppError(thrown), operation), FOR_PROGRAMS))
      return { isError: true, ...textOnly(visibleLine(line)) }
    }
  })
}

const textOnly = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** Missing input is answered with the tool's parameters, because an agent may have lost the schema. */
const failureLine = (error: AppError, operation: Operation): string =>
  error.code === 'invalid_input' && error.hint === undefined && / is missing\b/.test(error.message)
    ? `${error.line} ${operation.name} takes ${offeredFields(operation).join(', ')}.`
    : error.line

/**
 * Separates the place from the input of a call. A server for one agent already has its place, so only the directory
 * counts there.
 */
function splitPlace(
  raw: unknown,
  operation: Operation,
  { surface, named = {} }: McpOptions,
): { named: NamedPlace; input: Record<string, unknown> } {
  const { cwd, ...input } = (raw ?? {}) as Record<string, unknown>
  const directory = typeof cwd === 'string' ? cwd : undefined
  if (surface !== 'mcp-http') return { named: directory === undefined ? named : { directory }, input }
  return withProject(input, operation, directory === undefined ? named : { directory })
}

/** A `project_id` among the arguments names the project, even for operations without such a field. */
export function withProject(
  input: Record<string, unknown>,
  operation: Operation,
  named: NamedPlace,
): { named: NamedPlace; input: Record<string, unknown> } {
  const { project_id: project, ...rest } = input
  const place = { ...(typeof project === 'string' ? { project } : named), anywhere: operation.anywhere }
  return { named: place, input: 'project_id' in operation.input.shape || typeof project !== 'string' ? input : rest }
}

/** The question to confirm; empty for input that will be refused anyway. */
function questionOf(operation: Operation, input: unknown): string {
  const parsed = operation.input.safeParse(input)
  return parsed.success ? operation.approval(parsed.data as never) : ''
}

/** The client's name from the request, from the start of the session, or from the surrounding request. */
function clientNamed(
  server: McpServer,
  request: ServerContext['mcpReq'],
  { caller, userAgent }: Pick<McpOptions, 'caller' | 'userAgent'>,
): string | undefined {
  const envelope = request.envelope as Readonly<Record<string, unknown>> | undefined
  const said = envelope?.[CLIENT_INFO_META_KEY] as { readonly name?: string } | undefined
  return said?.name ?? server.server.getClientVersion()?.name ?? caller?.name ?? userAgent
}

/** The id of the call in the client; only Claude Code sends it. */
function callNamed({ _meta: meta }: ServerContext['mcpReq']): string | undefined {
  const id = meta?.['claudecode/toolUseId']
  return typeof id === 'string' ? id.slice(0, 200) : undefined
}

/** The client's capabilities from the request, or from the start of the session. */
function capabilitiesOf(server: McpServer, request: ServerContext['mcpReq']): ClientCapabilities | undefined {
  const envelope = request.envelope as Readonly<Record<string, unknown>> | undefined
  return (
    (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ??
    server.server.getClientCapabilities()
  )
}

/** Registers only prompts that refer to tools offered here. */
function registerPrompts(server: McpServer, offered: ReadonlySet<string>): void {
  const absent = REGISTRY.filter(({ name }) => name.includes('_') && !offered.has(name))
  for (const prompt of PROMPTS) {
    const text = prompt.text(undefined)
    if (absent.some(({ name }) => new RegExp(`\\b${name}\\b`).test(text))) continue
    server.registerPrompt(
      prompt.name,
      {
        title: prompt.title,
        description: prompt.description,
        argsSchema: z.object({ about: z.string().optional().describe(prompt.about) }),
      },
      ({ about }) => ({
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(about) } }],
      }),
    )
  }
}

function originOf(server: McpServer, { surface, caller }: McpOptions): Origin {
  const client = server.server.getClientVersion() ?? caller
  return {
    surface,
    ...(client && { client: cleanOriginText(client.name), client_version: cleanOriginText(client.version) }),
  }
}

/** Publishes the schema but accepts everything: `call` parses once and reports errors in one line. */
function schemaOf(json: Readonly<Record<string, unknown>>): StandardSchemaWithJSON<unknown, never> {
  const pass = {
    version: 1 as const,
    vendor: 'ken',
    validate: (value: unknown) => ({ value: value as never }),
    jsonSchema: { input: () => ({ ...json }), output: () => ({ ...json }) },
  }
  return { '~standard': pass }
}
