import { readSkills } from '../../agent/skills.ts'
import { visible } from '../../core/trust/visible.ts'
import { contextHere, projectKey } from '../../operations/agent/project-key.ts'
import { compiledTables } from '../../operations/context/list-tables.ts'
import type { Context } from '../../ports/context.ts'
import { ASK_COMMANDS } from './ask-commands.ts'

export interface AskNames {
  /** What the word before the cursor may become, and that word. */
  complete(before: string): Promise<readonly [choices: readonly string[], word: string]>
  skills(): Promise<readonly string[]>
}

interface Known {
  /** Tables, stories, documents. */
  readonly at: readonly string[]
  readonly skills: readonly string[]
}

const MOST = 5_000

/** What can be named in a question with @ and /, read when it is first needed. */
export function openAskNames(ctx: Context): AskNames {
  let known: Promise<Known> | undefined
  const names = (): Promise<Known> => (known ??= readNames(ctx).catch(() => ({ at: [], skills: [] })))
  return {
    skills: async () => (await names()).skills,
    async complete(before) {
      const word = /(?:^|[\s([{"'“‘,;:])([@/][^\s"]*|@"[^"]*)$/u.exec(before)?.[1] ?? ''
      if (word === '') return [[], '']
      const { at, skills } = await names()
      const isFirst = before.trimStart() === word
      const all = word.startsWith('@') ? at : [...(isFirst ? ASK_COMMANDS : []), ...skills.map((skill) => `/${skill}`)]
      const wanted = word.replace(/^@"/, '@').toLowerCase()
      const found = all.filter((name) => name.replace(/^@"/, '@').toLowerCase().startsWith(wanted))
      // A table is found by its own name too, without its schema.
      const within =
        word.startsWith('@') && found.length === 0 ? all.filter((name) => hasPart(name, wanted.slice(1))) : []
      return [[...found, ...within], word]
    },
  }
}

const hasPart = (name: string, wanted: string): boolean => wanted !== '' && name.toLowerCase().includes(`.${wanted}`)

async function readNames(ctx: Context): Promise<Known> {
  const project = await contextHere(ctx)
  const { stories } = await ctx.analystState()
  const slugs = (await stories.list({ user: ctx.user, project: await projectKey(ctx) })).map(({ slug }) => slug)
  if (project === undefined) return { at: spelled(slugs), skills: [] }
  const [tables, files, skills] = await Promise.all([
    compiledTables(project).catch(() => []),
    project.files.list('').catch(() => []),
    readSkills(project.files),
  ])
  const documents = files
    .map(({ path }) => path)
    .filter((path) => /\.(?:md|mdx|txt|sql|ya?ml)$/i.test(path) && !/^(?:databases|agent)\//.test(path))
  return {
    at: spelled([...tables.map(({ table }) => `${table.schema}.${table.name}`), ...slugs, ...documents]),
    skills: skills.map(({ name }) => name).filter(isSafe),
  }
}

/** As a mention takes them: a name with other signs stands in quotes. */
const spelled = (names: readonly string[]): string[] =>
  [...new Set(names)]
    .filter(isSafe)
    .slice(0, MOST)
    .map((name) => (/^[\p{L}\p{N}_][\p{L}\p{N}_.:/-]*$/u.test(name) ? `@${name}` : `@"${name}"`))

/** A name that could drive the terminal is not offered: completion writes names as they are. */
const isSafe = (name: string): boolean => visible(name) === name && !/[\n\t"]/.test(name)
