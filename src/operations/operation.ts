import { z } from 'zod'
import type { View } from '../kernel/domain/view/view.ts'
import type { PageChange } from '../kernel/ports/page-changes.ts'
import type { Context, Given, Need } from './context.ts'

/** Surfaces that may omit operations; a person's terminal offers all. `app` serves the pages of the app. */
export type ServerSurface = 'mcp' | 'http' | 'app'

/**
 * Servers choose the operations to offer by toolset. `cli`: commands for people, which no agent needs; `app`: those
 * that a page needs as well; `analyst`: only for the analyst within a turn; `team`: only on a team server, with no
 * command and nothing on a machine.
 */
export type Toolset = 'record' | 'memory' | 'data' | 'code' | 'analyst' | 'app' | 'cli' | 'team'

/** `agent` cuts across the toolsets: the operations one agent needs every day, without duplicates. */
export type OfferedToolset = Exclude<Toolset, 'cli'> | 'agent'

/** Source of an answer's words. Only Ken's words are returned without a label; `answer.ts` defines the other labels. */
export type Words = 'own' | 'record' | 'memory' | 'brief' | 'code' | 'context' | 'database' | 'analyst' | 'mcp'

type Fields = z.ZodRawShape

/**
 * How a page of `ken app` may use an operation. `free`: run it. `confirm`: run it after a person typed the code that a
 * terminal shows. A function decides by the input: it returns the changes to confirm, none if the call is free.
 */
export type FromPage<I extends Fields = Fields> = 'free' | 'confirm' | Decides<I>['decide']

/** A method, like `run`, so that operations of any input fit in one list. */
interface Decides<I extends Fields> {
  decide(ctx: Context, input: z.output<z.ZodObject<I>>): Promise<readonly PageChange[]>
}

type HiddenFrom = Readonly<Partial<Record<ServerSurface, string>>>

/** One thing Ken can do. Every surface, its help, its schema and its documentation are derived only from this. */
export interface Operation<I extends Fields = Fields, O extends Fields = Fields> {
  /** snake_case: the MCP tool and `POST /v1/<name>`; the CLI spells it with hyphens. */
  readonly name: string
  readonly title: string
  /** Agents read it to choose the tool, often only this: when to use it, when not, what it returns. */
  readonly summary: string
  /** Words that a request for this operation would contain, for clients that search for tools before loading them. */
  readonly searchHint: string
  /** True if a client that searches for tools loads it at once. Each costs every session its whole schema. */
  readonly alwaysLoaded: boolean
  /** Summary for people in `ken --help`, if they need a different wording; if empty, the summary is used. */
  readonly forPeople: string
  /** More for people: `ken <command> --help` and the reference page. */
  readonly details: string
  readonly effect: 'read' | 'write'
  /** True if it deletes something, so nothing suggests it by mistake. */
  readonly destructive: boolean
  /**
   * True if the operation writes next to nothing, frees space, or checks for space itself: it then also runs on a full
   * disk.
   */
  readonly withoutRoom: boolean
  readonly words: Words
  /**
   * Needs of `run`, beyond those of every call. An operation that needs `machine` cannot be offered by a team server.
   */
  readonly needs: readonly Need[]
  readonly input: z.ZodObject<I>
  readonly output: z.ZodObject<O>
  /** Input fields that the CLI takes as arguments, in order; a list field takes the rest. */
  readonly positional: readonly string[]
  readonly examples: readonly { readonly title: string; readonly input: Readonly<Record<string, unknown>> }[]
  /** Input fields that are accepted but omitted from tool lists: an agent seldom needs them, and pays for each. */
  readonly unlisted: readonly string[]
  /** True if it answers a caller that names no project, so that the caller can find one. */
  readonly anywhere: boolean
  /** True if it compares the record with hashes and so reads every byte; its answer is redacted like every other. */
  readonly exact: boolean
  /** True if the input is configuration or a search text that must arrive unchanged. Other writes accept no secrets. */
  readonly asGiven: boolean
  /** Servers that hide it, each with the reason. */
  readonly hiddenFrom: HiddenFrom
  /**
   * Differences on a team server, often none. Undefined if a server does not offer it: something it uses has no shared
   * back end.
   */
  readonly onServer: { readonly summary?: string; readonly hiddenFrom?: HiddenFrom } | undefined
  /** If undefined, a read is free and a write needs confirmation. Every write that a page may call declares this. */
  readonly fromPage: FromPage<I> | undefined
  /** Whether a write is idempotent. */
  readonly isRepeatable: boolean
  /**
   * Set if its answer is a turn of the analyst: `begins` one, in which a person can be asked and can approve calls, or
   * `follows` one that runs or ran. Surfaces send the events of a turn as they happen.
   */
  readonly turn: 'begins' | 'follows' | undefined
  /** The answer field with a secret created by this call, shown to its caller only once. */
  readonly showsOnce: string | undefined
  /**
   * Answer fields that contain a file: bytes as base64, or JSON, YAML, CSV or HTML made of values without secrets. They
   * are not redacted again, which would break them.
   */
  readonly holdsFile: readonly string[]
  run(ctx: Context, input: z.output<z.ZodObject<I>>): Promise<z.output<z.ZodObject<O>>>
  /** Question for a person, if the client can ask: their approval makes the change count as theirs. Empty: none. */
  approval(input: z.output<z.ZodObject<I>>): string
  /** The user's rules for agents, in the user's words, placed before everything else. Empty if there are none. */
  rules(output: z.output<z.ZodObject<O>>): string
  /**
   * Ken's text in an answer that also contains third-party text; it comes first and may name decisions. For a record
   * that nobody here has reviewed, it is put into the envelope.
   */
  own(output: z.output<z.ZodObject<O>>, input: z.output<z.ZodObject<I>>, view?: View): string
  /** True if its answer is one long text, which a server that can send text does not also send as data. */
  readonly isText: boolean
  /** Whether a terminal shows an answer longer than the screen in the user's pager. */
  isPaged(input: z.output<z.ZodObject<I>>): boolean
  /** False for an answer in a machine-readable format. */
  isProse(input: z.output<z.ZodObject<I>>): boolean
  /** The answer as text for a person or an agent; `view` determines its look, plain if there is none. */
  render(output: z.output<z.ZodObject<O>>, input: z.output<z.ZodObject<I>>, view?: View): string
  /** The CLI's exit code for an answer that is not a failure, e.g. findings of a check. */
  exit(output: z.output<z.ZodObject<O>>): number
}

type Optional =
  | 'searchHint'
  | 'alwaysLoaded'
  | 'forPeople'
  | 'details'
  | 'destructive'
  | 'withoutRoom'
  | 'positional'
  | 'unlisted'
  | 'anywhere'
  | 'exact'
  | 'asGiven'
  | 'hiddenFrom'
  | 'onServer'
  | 'fromPage'
  | 'isRepeatable'
  | 'turn'
  | 'showsOnce'
  | 'holdsFile'
  | 'approval'
  | 'rules'
  | 'own'
  | 'isText'
  | 'isPaged'
  | 'isProse'
  | 'exit'

type Definition<M extends string, N extends Need, I extends Fields, O extends Fields> = Omit<
  Operation<I, O>,
  Optional | 'name' | 'needs' | 'input' | 'output' | 'run'
> & {
  name: M
  needs: readonly N[]
  input: I
  output: O
  run(ctx: Given<N>, input: z.output<z.ZodObject<I>>): Promise<z.output<z.ZodObject<O>>>
  onServer?: 'machine' extends N ? never : NonNullable<Operation['onServer']>
} & Partial<Pick<Operation<I, O>, Exclude<Optional, 'onServer'>>>

export function defineOperation<const M extends string, const N extends Need, I extends Fields, O extends Fields>(
  definition: Definition<M, N, I, O>,
): Operation<I, O> & Pick<Definition<M, N, I, O>, 'run'> & { readonly name: M } {
  return {
    searchHint: '',
    alwaysLoaded: false,
    forPeople: '',
    details: '',
    destructive: false,
    withoutRoom: false,
    positional: [],
    unlisted: [],
    anywhere: false,
    exact: false,
    asGiven: false,
    hiddenFrom: {},
    onServer: undefined,
    fromPage: undefined,
    isRepeatable: false,
    turn: undefined,
    showsOnce: undefined,
    holdsFile: [],
    approval: () => '',
    rules: () => '',
    own: () => '',
    isText: false,
    isPaged: () => false,
    isProse: () => true,
    exit: () => 0,
    ...(definition as unknown as Omit<Operation<I, O>, Optional> &
      Pick<Definition<M, N, I, O>, 'run'> & { readonly name: M }),
    input: z.strictObject(definition.input) as unknown as z.ZodObject<I>,
    output: z.object({
      ...(definition.words === 'own' && !('trust' in definition.output) ? {} : labelField),
      ...definition.output,
    }) as unknown as z.ZodObject<O>,
  }
}

const labelField = { label: z.string().optional().describe('Origin of the text, and the trust in it.') }

/** A field's description for people; an agent, which pays for every word in every session, gets less or none. */
export const forPeople = (help: string): Readonly<Record<string, string>> => ({ [HELP_KEY]: help })

/** Key of that description in a field's schema. */
export const HELP_KEY = 'x-help'

/** Field that selects the project of an operation if the working directory does not determine it. */
export const projectField = {
  project_id: z.string().max(200).optional().describe('Id or name.'),
}

/** For operations that a person runs at a terminal or a page: agents do not get them as tools. */
export const NOT_FOR_AGENTS = { mcp: 'A person does this, at a terminal or a page.' } as const

/** Commands for people, at a terminal or a page: programs are not offered them. */
export const FOR_PEOPLE = {
  mcp: 'A person runs this at a terminal.',
  http: 'A person runs this at a terminal.',
} as const

/** Commands that need a terminal, or read and write files named by their caller. */
export const AT_A_TERMINAL = { ...FOR_PEOPLE, app: 'It needs a terminal, or files that a page does not have.' } as const
