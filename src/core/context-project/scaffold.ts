import { stringify } from 'yaml'
import { schemaLine, TESTS_SCHEMA, testsSchemaText } from '../evaluation/tests-schema.ts'
import { configJsonSchema } from './config.ts'
import type { ContextRules } from './source-rules.ts'

/** Every file of a new context project, by path. */
export function scaffoldFiles(name: string, rules: ContextRules): Readonly<Record<string, string>> {
  return {
    'ken.yaml': `# yaml-language-server: $schema=.ken/ken.schema.json\n# Secrets do not belong here: write \${NAME} and set NAME in the environment or in .env.\n${stringify({ name, databases: [] })}`,
    '.ken/ken.schema.json': `${JSON.stringify(configJsonSchema(rules), null, 2)}\n`,
    '.kenignore': '# What agents may not read, in the syntax of .gitignore.\ntemplates/\n*.liquid\n',
    '.gitignore': '.env\n',
    'RULES.md': RULES,
    [`tests/${TESTS_SCHEMA}`]: testsSchemaText(),
    'tests/example.yaml': `${schemaLine('example.yaml')}${EXAMPLE_TESTS}`,
    ...Object.fromEntries(FOLDERS.filter((folder) => folder !== 'tests').map((folder) => [`${folder}/.gitkeep`, ''])),
  }
}

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

const EXAMPLE_TESTS = `# What agents are told and answer here must stay right. \`ken test\` tries every case of this folder.
# No agent gets to see it: neither these files, nor what a run writes.

# This one passes as it is.
- name: the tests are found by no search
  kind: retrieval
  query: which answers are expected
  forbidden: [tests/example.yaml]

# A question whose answer you know. Finish it and take the tag away; until then it is left out.
- name: orders of last month
  kind: sql
  tags: [draft]
  prompt: How many orders were there last month?
  sql: select count(*) from orders where month = '2026-01'

- name: asks back when it is not clear
  kind: answer
  tags: [draft]
  prompt: How are we doing?
  assert:
    - clarifies: true
`

/** Whether nobody has written a rule yet. */
export const isScaffoldRules = (text: string): boolean => text.trim() === RULES.trim()
