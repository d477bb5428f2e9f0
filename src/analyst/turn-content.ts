import { exampleText, type ChosenExample } from '../context/domain/examples/proven-example.ts'
import { enveloped } from '../kernel/domain/trust/envelope.ts'
import type { ModelImage, ModelText } from '../kernel/ports/language-model.ts'

/** Content added to the user's message for this turn only. */
export interface TurnAdditions {
  readonly stories: readonly { readonly slug: string; readonly title: string; readonly text: string }[]
  readonly skills: readonly { readonly name: string; readonly text: string }[]
  readonly tables: readonly { readonly name: string; readonly text: string }[]
  readonly documents: readonly { readonly path: string; readonly text: string }[]
  /** Packed schema of the tables that the question probably needs. */
  readonly schema: string
  /** Names of the tables in `schema`. */
  readonly linked: readonly string[]
  /** Questions like this one, with the SQL that answered them. */
  readonly examples: readonly ChosenExample[]
  readonly images: readonly { readonly mediaType: string; readonly base64: string }[]
}

export const NO_ADDITIONS: TurnAdditions = {
  stories: [],
  skills: [],
  tables: [],
  documents: [],
  schema: '',
  linked: [],
  examples: [],
  images: [],
}

const LONGEST_SKILL = 16_000
const LONGEST_PAGE = 12_000

/**
 * Builds the content of a turn: the user's own words first and unchanged; then stories, skills, tables, documents,
 * examples, the schema for the question, and images.
 */
export function turnContent(words: string, added: TurnAdditions): readonly (ModelText | ModelImage)[] {
  const blocks = [
    ...added.stories.map(({ slug, title, text }) =>
      data('context', `story ${slug}: ${title}`, cut(text, LONGEST_PAGE)),
    ),
    // Project members write skills for the analyst, and the person selects them by name: unlike the rest, they are
    // instructions.
    ...added.skills.map(({ name, text }) => `# Skill "${name}", which the person named\n\n${cut(text, LONGEST_SKILL)}`),
    ...added.tables.map(({ name, text }) => data('context', `table ${name}`, cut(text, LONGEST_PAGE))),
    ...added.documents.map(({ path, text }) => data('context', path, cut(text, LONGEST_PAGE))),
    ...added.examples.map((example) => data('context', `example from ${example.from}`, exampleText(example))),
    ...(added.schema === '' ? [] : [data('context', 'tables that this question probably needs', added.schema)]),
  ]
  return [
    { type: 'text', text: words },
    ...blocks.map((text) => ({ type: 'text' as const, text })),
    ...added.images.map((image) => ({ type: 'image' as const, ...image })),
  ]
}

const data = (origin: 'context', about: string, text: string): string =>
  enveloped(text, { origin, trust: 'compiled' }, { about })

/** Shortens a long text to its beginning and its end. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out; read the file for them]\n${text.slice(-half)}`
}
