import { readMentions } from '../../analyst/operations/mentions.ts'
import type { Context } from '../../operations/context.ts'
import { ASK_COMMANDS } from './ask-commands.ts'

export interface AskNames {
  /** Completions of the word before the cursor, and that word. */
  complete(before: string): Promise<readonly [choices: readonly string[], word: string]>
  skills(): Promise<readonly string[]>
}

interface Known {
  /** Tables, stories, documents. */
  readonly at: readonly string[]
  readonly skills: readonly string[]
}

/** Names for @ and / in a question, loaded on first use. */
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
      // A table also matches by its name without the schema.
      const within =
        word.startsWith('@') && found.length === 0 ? all.filter((name) => hasPart(name, wanted.slice(1))) : []
      return [[...found, ...within], word]
    },
  }
}

const hasPart = (name: string, wanted: string): boolean => wanted !== '' && name.toLowerCase().includes(`.${wanted}`)

async function readNames(ctx: Context): Promise<Known> {
  const all = await readMentions(ctx)
  return {
    at: all.filter(({ kind }) => kind !== 'skill').map(({ mention }) => mention),
    skills: all.filter(({ kind }) => kind === 'skill').map(({ name }) => name),
  }
}
