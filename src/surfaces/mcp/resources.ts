import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import { BUDGET } from '../../kernel/domain/answer-budget.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { spellNames } from '../../kernel/domain/named-operation.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { enveloped } from '../../kernel/domain/trust/envelope.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { answerText } from '../../operations/answer.ts'
import { call } from '../../operations/call.ts'
import type { Offered } from '../../operations/context.ts'
import { redactedStore } from '../../operations/redacted-store.ts'
import { REGISTRY, type RegisteredOperation } from '../../operations/registry.ts'
import { forAgents, FOR_PROGRAMS } from '../../operations/spelling.ts'
import { label } from '../../record/domain/decision/decision.ts'
import { QUESTIONS } from '../../record/domain/files.ts'
import { openQuestions, parseQuestions } from '../../record/domain/question.ts'
import type { Store } from '../../record/ports/store.ts'
import { fileTrust } from '../../record/read-decision.ts'
import { holdSubscriptions } from './subscriptions.ts'

interface ResourceOptions {
  readonly offered: readonly RegisteredOperation[]
  readonly offersRecord: boolean
  context(): Promise<Offered>
  /** Whether the connection persists, so that a client can be notified of changes. */
  readonly subscribes: boolean
}

/** What a completion may contain, as ids with the words they are found by. */
interface Suggestion {
  readonly id: string
  readonly words: string
}

/**
 * Resources that a client can browse: record files, and a template for each kind of thing with an id. A template is
 * registered only if the tool with the same answer is offered, and its text is that tool's answer, with its labels.
 */
export function registerResources(
  server: McpServer,
  { offered, offersRecord, context, subscribes }: ResourceOptions,
): void {
  const openRecord = async (): Promise<Store> => {
    const ctx = await context()
    const permitted = { ...ctx, ...(await ctx.permit?.({ name: 'get_raw_file' }, {})) }
    if (permitted.record === undefined) throw new AppError('forbidden', 'This server offers no record.')
    return redactedStore(await permitted.record())
  }
  const outputOf = async (name: string, input: Readonly<Record<string, unknown>>) => {
    const operation = await REGISTRY.find((entry) => entry.name === name)!.load()
    return (await call(await context(), operation, input)).output
  }
  const things: readonly Thing[] = [
    {
      kind: 'decision',
      title: 'A decision',
      description: 'A decision by number (D12, 12), lasting id or file name.',
      tool: 'get_decision',
      input: (id) => ({ number: id.startsWith('d_') ? id : (/^D?0*(\d+)/i.exec(id)?.[1] ?? id) }),
      suggestions: async () =>
        (await (await openRecord()).catalogue()).decisions
          .toReversed()
          .map(({ stem, num, title }) => ({ id: stem, words: `${label(num)} D${num} ${title}` })),
    },
    {
      kind: 'session',
      title: 'A session',
      description: 'A past session of a coding agent by its id.',
      tool: 'memory_get',
      input: (id) => ({ id }),
      suggestions: async (typed) => {
        const output = await outputOf('memory_browse', { origin: ['session'], limit: 50, query: typed, mode: 'words' })
        return (output['results'] as { id: string; title: string }[]).map(({ id, title }) => ({
          id,
          // The search already matched the words, including in the text.
          words: `${title} ${typed}`,
        }))
      },
    },
    {
      kind: 'table',
      title: 'A table',
      description: 'Description of a database table, as schema.table.',
      tool: 'describe_table',
      input: (id) => ({ table: id }),
      suggestions: async () =>
        ((await outputOf('list_tables', { limit: 1000 }))['tables'] as { table: string; comment?: string }[]).map(
          ({ table, comment = '' }) => ({ id: table, words: `${table} ${comment}` }),
        ),
    },
  ]
  const told = things.flatMap((thing) => {
    const operation = offered.find(({ name }) => name === thing.tool)
    return operation === undefined ? [] : [thingResource(thing, { operation, context })]
  })
  const kinds = [...(offersRecord ? [recordFiles(openRecord), questions(openRecord)] : []), ...told]
  if (kinds.length === 0) return
  // The SDK would declare notifications about new files, which are not sent.
  server.server.registerCapabilities({ resources: { listChanged: false, subscribe: subscribes } })
  for (const { kind, template, title, description, read } of kinds)
    server.registerResource(kind, template, { title, description, mimeType: MARKDOWN }, async (uri, variables) => ({
      contents: [{ uri: uri.href, mimeType: MARKDOWN, text: await inOneLine(uri.href, read(idIn(variables))) }],
    }))
  if (subscribes)
    holdSubscriptions(server, async (uri) => {
      for (const { template, read } of kinds) {
        const variables = template.uriTemplate.match(uri)
        if (variables !== null) return inOneLine(uri, read(idIn(variables)))
      }
      throw new ResourceNotFoundError(uri, `No resource named "${visibleLine(uri)}".`)
    })
}

const MARKDOWN = 'text/markdown'

interface ResourceKind {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly template: ResourceTemplate
  read(id: string): Promise<string>
}

/** The one variable of a template. */
const idIn = (variables: Readonly<Record<string, string | string[]>>): string =>
  decodeURIComponent(String(Object.values(variables)[0]))

/** A failure is one line, as for tools; a missing resource has the protocol's error code. */
const inOneLine = (uri: string, text: Promise<string>): Promise<string> =>
  text.catch((thrown: unknown) => {
    const failure = toAppError(thrown)
    const line = visibleLine(forAgents(spellNames(failure.line, FOR_PROGRAMS)))
    throw failure.code === 'not_found' ? new ResourceNotFoundError(uri, line) : new Error(line)
  })

interface Thing {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly tool: string
  input(id: string): Readonly<Record<string, unknown>>
  suggestions(typed: string): Promise<readonly Suggestion[]>
}

const thingResource = (
  { input, suggestions, ...about }: Thing,
  { operation, context }: { operation: RegisteredOperation; context: () => Promise<Offered> },
): ResourceKind => ({
  ...about,
  template: new ResourceTemplate(`ken://${about.kind}s/{id}`, {
    list: undefined,
    complete: { id: completing(suggestions) },
  }),
  read: async (id) => answerText(operation, await call(await context(), operation, input(id)), 'agent'),
})

const questions = (open: () => Promise<Store>): ResourceKind => ({
  kind: 'question',
  title: 'A question',
  description: 'An open or resolved question by its id (Q3).',
  template: new ResourceTemplate('ken://questions/{id}', {
    list: undefined,
    complete: {
      id: completing(async () =>
        openQuestions((await (await open()).read(QUESTIONS)) ?? '').map(({ id, body }) => ({
          id,
          words: `${id} ${body}`,
        })),
      ),
    },
  }),
  async read(id) {
    const store = await open()
    const lines = ((await store.read(QUESTIONS)) ?? '').split('\n')
    const found = parseQuestions(lines.join('\n')).find((each) => each.id.toLowerCase() === id.toLowerCase())
    if (found === undefined) throw new AppError('not_found', `No question named "${visibleLine(id)}".`)
    const text = lines.slice(found.from, found.to + 1).join('\n')
    return enveloped(text, { origin: 'record', trust: await fileTrust(store, QUESTIONS) })
  },
})

const recordFiles = (open: () => Promise<Store>): ResourceKind => {
  const listed = (): Promise<readonly string[]> =>
    open().then(
      (store) => store.list(),
      () => [],
    )
  return {
    kind: 'record',
    title: 'The record',
    description: 'Files of the project record.',
    template: new ResourceTemplate('ken://record/{+path}', {
      list: async () => ({
        resources: offeredFiles(await listed()).map((path) => ({
          uri: `ken://record/${encodeURI(path.toWellFormed())}`,
          name: visibleLine(path),
          mimeType: MARKDOWN,
        })),
      }),
      complete: { path: completing(async () => (await listed()).map((path) => ({ id: path, words: path }))) },
    }),
    async read(file) {
      const store = await open()
      const text = await store.read(file)
      if (text === undefined) throw new AppError('not_found', `The record has no file ${visibleLine(file)}.`)
      return enveloped(text, { origin: 'record', trust: await fileTrust(store, file) })
    },
  }
}

/**
 * Suggestions for the typed text: ids that begin with it, then ids found by their words. None if the record cannot be
 * read, because clients do not show errors of completions.
 */
const completing =
  (suggestions: (typed: string) => Promise<readonly Suggestion[]>) =>
  async (typed: string): Promise<string[]> => {
    const all = await suggestions(typed).catch(() => [])
    const wanted = typed.trim().toLowerCase()
    const begins = ({ id, words }: Suggestion): boolean =>
      id.toLowerCase().startsWith(wanted) || words.toLowerCase().startsWith(wanted)
    const found = all.filter((one) => begins(one) || one.words.toLowerCase().includes(wanted))
    return [...found.filter(begins), ...found.filter((one) => !begins(one))].map(({ id }) => id)
  }

/** Files other than decisions, then the newest decisions; the template can also read every other file. */
const offeredFiles = (files: readonly string[]): string[] => {
  const isDecision = (path: string) => path.startsWith('decisions/')
  const newest = files.filter(isDecision).toReversed()
  return [...files.filter((path) => !isDecision(path)), ...newest].slice(0, BUDGET.resources)
}
