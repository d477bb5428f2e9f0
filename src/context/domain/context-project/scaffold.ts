import { stringify } from 'yaml'
import { configJsonSchema } from './config.ts'
import type { ContextRules } from './source-rules.ts'

/** Every file of a new context project, by path. */
export function scaffoldFiles(
  name: string,
  rules: ContextRules,
  tests: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    'ken.yaml': `# yaml-language-server: $schema=.ken/ken.schema.json\n# Secrets do not belong here: write \${NAME} and set NAME in the environment or in .env.\n${stringify({ name })}${PERSONAL}${stringify({ databases: [] })}`,
    '.ken/ken.schema.json': `${JSON.stringify(configJsonSchema(rules), null, 2)}\n`,
    '.kenignore': '# What agents may not read, in the syntax of .gitignore.\ntemplates/\n*.liquid\n',
    '.gitignore': '.env\n',
    'RULES.md': RULES,
    ...Object.fromEntries(Object.entries(tests).map(([file, text]) => [`tests/${file}`, text])),
    ...Object.fromEntries(FOLDERS.filter((folder) => folder !== 'tests').map((folder) => [`${folder}/.gitkeep`, ''])),
  }
}

const PERSONAL = `# Agents and stories filter and count by personal data, but get it masked. To show it: results: show
${stringify({ personal: { results: 'mask' } })}`

/** Default folder for a repository's context project. */
export const CONTEXT_FOLDER = '.ken/context'

/**
 * The folder with the files that a context project describes: the repository around `.ken/context`, else the project.
 */
export const subjectOf = (root: string): string => root.replace(/[/\\]\.ken[/\\]context$/, '')

export const FOLDERS = [
  'databases',
  'queries',
  'docs',
  'semantics',
  'repos',
  'agent/tools',
  'agent/mcps',
  'agent/skills',
  'tests',
] as const

const RULES = `# Rules

What everyone who answers questions from this data must know: how the business uses its words, which tables to
prefer, which traps there are. Short sentences, one rule each.
`

/** Whether the rules file is the unchanged scaffold, without any rule yet. */
export const isScaffoldRules = (text: string): boolean => text.trim() === RULES.trim()
