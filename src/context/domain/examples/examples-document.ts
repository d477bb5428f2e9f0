import type { JudgedExample } from './example.ts'

const MOST_SHOWN = 100

/** The examples of a database as one document: working ones, then its history, then the stale ones. */
export function examplesDocument(
  database: string,
  examples: readonly JudgedExample[],
  history: readonly string[],
): string {
  const fresh = examples.filter(({ stale }) => stale === undefined)
  const stale = examples.filter((example) => example.stale !== undefined)
  const shown = fresh.slice(0, MOST_SHOWN)
  const further = fresh.slice(MOST_SHOWN)
  return [
    `# Examples for ${database}`,
    'Questions and the SQL that answers them, checked against the schema.',
    ...shown.map(({ question, sql }) => `## ${plain(question)}\n\n${fenced(sql)}`),
    ...section(
      'Further examples',
      further.map(({ question, path }) => `- ${plain(question)}: ${plain(path)}`),
    ),
    ...(history.length === 0
      ? []
      : [
          `## Often run\n\nFrom the history of the database; \`?\` and \`$1\` stand for values.`,
          ...history.map(fenced),
        ]),
    ...section(
      'Stale: do not use',
      stale.map((example) => `- ${plain(example.question)} (${plain(example.path)}): ${plain(example.stale!)}`),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}`]

/** Third-party text for a line of Markdown: nothing in it begins a link, a tag or code. */
export const plain = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[<>[\]`]/g, (char) => `\\${char}`)

/** Uses more backticks than any run in the SQL, so that nothing in it ends the block. */
function fenced(sql: string): string {
  const longest = (sql.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}sql\n${sql}\n${fence}`
}
