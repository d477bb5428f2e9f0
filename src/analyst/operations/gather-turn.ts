import { unframe } from '../../context/domain/context-project/framed-file.ts'
import { estimateTokens } from '../../context/domain/context-project/manifest.ts'
import { isScaffoldRules } from '../../context/domain/context-project/scaffold.ts'
import { linkSchema } from '../../context/link-schema.ts'
import { chooseExamples, type ExampleQuestion } from '../../context/operations/choose-examples.ts'
import { compiledTables, tablesNamed, type FoundTable } from '../../context/operations/list-tables.ts'
import type { ContextProject } from '../../context/ports/context-project.ts'
import { isSlipOf } from '../../kernel/domain/close-match.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { Given } from '../../operations/context.ts'
import { mentionsIn, type Mentions } from '../domain/chat/mentions.ts'
import type { Injected } from '../domain/chat/part.ts'
import type { Skill } from '../domain/skill.ts'
import { memoriesForTurn } from '../memories-for-turn.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import { readSkills, skillNamed } from '../skills.ts'
import { isCutRules, RULES_TOKENS, type BindingDecision, type PromptParts } from '../system-prompt.ts'
import { NO_ADDITIONS, type TurnAdditions } from '../turn-content.ts'
import { bindingDecisions } from './binding-decisions.ts'
import { memorySwitches } from './memory-switches.ts'
import { provenExamples } from './proven-examples.ts'

export interface TurnQuestion {
  readonly words: string
  /** Earlier questions of the chat, for a question that depends on them. */
  readonly earlier: readonly string[]
  readonly chat: string
  readonly projectKey: string
  readonly images: TurnAdditions['images']
  readonly tools: ReadonlySet<string>
  readonly schemaTokens: number
  readonly exampleTokens: number
}

export interface Gathered {
  readonly prompt: PromptParts
  readonly additions: TurnAdditions
  readonly injected: Injected
  /** Notes for the person, e.g. that RULES.md is too long. */
  readonly notices: readonly string[]
}

// A question seldom needs more than four tables, which are shown with the answer.
const MOST_LINKED = 20

/** The model's full input for one question. Unavailable parts are omitted and reported. */
export async function gatherTurn(
  ctx: Given<'context' | 'record'>,
  question: TurnQuestion,
  { project, state }: { project: ContextProject | undefined; state: AnalystState },
): Promise<Gathered> {
  const notices: string[] = []
  const orElse = async <T>(work: Promise<T>, otherwise: T, what: string): Promise<T> =>
    work.catch((error: unknown) => {
      notices.push(`${what}: ${toAppError(error).message}`)
      return otherwise
    })
  const skills = project === undefined ? [] : await readSkills(project.files)
  const tables = project === undefined ? [] : await compiledTables(project)
  const mentions = mentionsIn(question.words)
  const [rules, memories, decisions, additions] = await Promise.all([
    project === undefined ? undefined : readRules(project),
    memorySwitches(ctx).then(({ uses }) =>
      uses
        ? memoriesForTurn(state.memories, { user: ctx.user, project: question.projectKey, chat: question.chat })
        : { text: '', injected: [], left: 0 },
    ),
    orElse(bindingDecisions(ctx, question.words), [], 'Decisions could not be looked up'),
    project === undefined
      ? { ...NO_ADDITIONS, images: question.images }
      : orElse(
          addedTo(ctx, question, { project, state, tables, skills, mentions, notices }),
          NO_ADDITIONS,
          'The context could not be read',
        ),
  ])
  if (rules !== undefined && isCutRules(rules))
    notices.push(
      `RULES.md has about ${estimateTokens(rules).toLocaleString('en-US')} tokens; only the first ${RULES_TOKENS.toLocaleString('en-US')} are read. Move what is seldom needed into skills or documents.`,
    )
  return {
    prompt: {
      project: project?.config.name ?? 'this folder',
      today: todayOf(ctx.clock.now()),
      rules,
      connections: project === undefined ? [] : connectionsOf(project, tables),
      skills,
      memories: memories.text,
      decisions,
      tools: question.tools,
    },
    additions,
    injected: injectedOf({ rules, memories: memories.injected, decisions, additions }),
    notices,
  }
}

function injectedOf(parts: {
  rules: string | undefined
  memories: Injected['memories']
  decisions: readonly BindingDecision[]
  additions: TurnAdditions
}): Injected {
  const { rules, additions } = parts
  return {
    ...(rules !== undefined && { rules: { path: 'RULES.md', tokens: estimateTokens(rules), cut: isCutRules(rules) } }),
    memories: parts.memories,
    decisions: parts.decisions.map(({ number, title }) => ({ number, title })),
    skills: additions.skills.map(({ name }) => name),
    tables: [...additions.tables.map(({ name }) => name), ...additions.linked],
    stories: additions.stories.map(({ slug }) => slug),
    examples: additions.examples.map(({ from }) => from),
  }
}

/** Reads RULES.md; undefined also if it contains no rule yet. */
async function readRules(project: ContextProject): Promise<string | undefined> {
  const text = await project.files.read('RULES.md').catch(() => '')
  return text.trim() === '' || isScaffoldRules(text) ? undefined : text
}

function connectionsOf(project: ContextProject, tables: readonly FoundTable[]): PromptParts['connections'] {
  return project.config.databases.map(({ name, type }) => ({
    name,
    type,
    tables: tables.filter(({ table }) => table.connection === name).length,
  }))
}

function todayOf(now: Date): PromptParts['today'] {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const date = now.toLocaleDateString('en-GB', {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: timezone,
  })
  return { date, timezone }
}

interface Found {
  readonly project: ContextProject
  readonly state: AnalystState
  /** All compiled tables: the manifest is read once per question. */
  readonly tables: readonly FoundTable[]
  readonly skills: readonly Skill[]
  readonly mentions: Mentions
  readonly notices: string[]
}

async function addedTo(ctx: Given<'record'>, question: TurnQuestion, found: Found): Promise<TurnAdditions> {
  const { project, skills, mentions } = found
  const named = await Promise.all(mentions.at.map((name) => lookUp(name, question, found)))
  found.notices.push(...slipsIn(found, new Set(mentions.at.filter((_, at) => named[at] === undefined))))
  const tables = named.flatMap((one) => (one?.kind === 'table' ? [one] : []))
  const embedder = await ctx.bundledEmbedder()
  // A short follow-up question depends on the earlier ones.
  const whole = [...question.earlier.slice(-2), question.words].join('\n')
  const linked = await linkSchema(project, { question: whole, most: MOST_LINKED, isFilled: true }, embedder)
  const examples = await examplesFor(ctx, question, found, { question: whole, linked: linked.entries }).catch(
    (error: unknown) => {
      found.notices.push(`Examples could not be read: ${toAppError(error).message}`)
      return []
    },
  )
  const skillTexts = mentions.slash
    .flatMap((name) => skillNamed(skills, name) ?? [])
    .map(async ({ name, location }) => ({ name, text: await project.files.read(location) }))
  return {
    stories: named.flatMap((one) => (one?.kind === 'story' ? [one] : [])),
    skills: await Promise.all(skillTexts),
    tables,
    documents: named.flatMap((one) => (one?.kind === 'document' ? [one] : [])),
    schema: await linked.pack(question.schemaTokens),
    linked: linked.entries
      .map(({ table }) => `${table!.schema}.${table!.name}`)
      .filter((name) => tables.every((one) => one.name !== name)),
    examples,
    images: question.images,
  }
}

async function examplesFor(
  ctx: Given<'record'>,
  { exampleTokens: tokens, projectKey, chat }: TurnQuestion,
  { project, state }: Found,
  asked: Pick<ExampleQuestion, 'question' | 'linked'>,
): Promise<TurnAdditions['examples']> {
  if (tokens === 0) return []
  const examples = await provenExamples(ctx, { project, state, projectKey, chat })
  return chooseExamples(project, examples, { ...asked, tokens }, await ctx.bundledEmbedder())
}

/** Unknown words that are a letter or two away from a name. */
function slipsIn({ tables, skills, mentions }: Found, unknown: ReadonlySet<string>): readonly string[] {
  const names = skills.map(({ name }) => name)
  const slashes = mentions.slash.filter((name) => skillNamed(skills, name) === undefined)
  const candidates = tables.flatMap(({ table }) => [table.name, `${table.schema}.${table.name}`])
  const told = (sign: string, name: string, among: readonly string[]): string[] => {
    const meant = among.find((one) => isSlipOf(name, one))
    return meant === undefined ? [] : [`There is no ${sign}${name}; ${sign}${meant} was probably meant.`]
  }
  return [
    ...[...unknown].flatMap((name) => told('@', name, candidates)),
    ...slashes.flatMap((name) => told('/', name, names)),
  ]
}

type Named =
  | { readonly kind: 'table'; readonly name: string; readonly text: string }
  | { readonly kind: 'story'; readonly slug: string; readonly title: string; readonly text: string }
  | { readonly kind: 'document'; readonly path: string; readonly text: string }

/**
 * Resolves a mention: a table first, then a story, then a file; undefined for a word that only looks like a mention.
 */
async function lookUp(
  name: string,
  question: TurnQuestion,
  { project, state, tables }: Found,
): Promise<Named | undefined> {
  const [found] = tablesNamed(tables, name)
  if (found !== undefined) {
    const page = await project.files.read(`${found.path}/columns.md`)
    return { kind: 'table', name: `${found.table.schema}.${found.table.name}`, text: unframe(page) ?? page }
  }
  const story = await state.stories.find({ slug: name.toLowerCase(), project: question.projectKey })
  if (story !== undefined) {
    const text = (await state.stories.versions(story.id)).at(-1)?.text ?? ''
    return { kind: 'story', slug: story.slug, title: story.title, text }
  }
  const text = await project.files.read(name).catch(() => undefined)
  return text === undefined ? undefined : { kind: 'document', path: name, text: unframe(text) ?? text }
}
