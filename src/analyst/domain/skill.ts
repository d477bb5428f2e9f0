import { parse } from 'yaml'
import { z } from 'zod'

/** Instructions for one kind of work; a person invokes them with `/`, or the analyst reads them when they fit. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** Path relative to the context project. */
  readonly location: string
}

const MOST_NAME = 100
const MOST_DESCRIPTION = 500
const LONGEST_HEAD = 10_000

const front = z.object({ name: z.string().min(1).optional().catch(undefined), description: z.string().catch('') })

/** A Markdown file below `agent/skills`; one without frontmatter is named after its file or folder. */
export function readSkill(location: string, text: string): Skill {
  const head = /^---\r?\n([\s\S]{0,10000}?)\r?\n---\r?(?:\n|$)/.exec(text.slice(0, LONGEST_HEAD + 100))?.[1]
  const facts = front.safeParse(head === undefined ? {} : yamlOf(head))
  const { name, description } = facts.success ? facts.data : { name: undefined, description: '' }
  const oneLine = (line: string, most: number): string => line.replaceAll(/\s+/g, ' ').trim().slice(0, most)
  return {
    name: oneLine(name ?? nameOf(location), MOST_NAME),
    description: oneLine(description || firstLine(text, head), MOST_DESCRIPTION),
    location,
  }
}

function yamlOf(head: string): unknown {
  try {
    return parse(head, { maxAliasCount: 0 }) ?? {}
  } catch {
    return {}
  }
}

const nameOf = (location: string): string => {
  const [file = '', folder = ''] = location.split('/').toReversed()
  return /^skill\.md$/i.test(file) ? folder : file.replace(/\.md$/i, '')
}

const firstLine = (text: string, head: string | undefined): string =>
  (head === undefined ? text : text.slice(text.indexOf('\n---') + 4))
    .split('\n', 50)
    .map((line) => line.replace(/^#+\s*/, '').trim())
    .find((line) => line !== '' && line !== '---') ?? ''
