import { z } from 'zod'
import { CASE_KINDS, testCaseFields } from './test-case.ts'

/** File name of the schema, in the tests folder so that editors find it offline and it moves along with the cases. */
export const TESTS_SCHEMA = '.schema.json'

/** First line of a case file, which points editors to the schema. `file` is relative to the tests folder. */
export const schemaLine = (file: string): string =>
  `# yaml-language-server: $schema=${'../'.repeat(file.split('/').length - 1)}${TESTS_SCHEMA}\n`

export const testsSchemaText = (): string => `${JSON.stringify(testsJsonSchema(), null, 2)}\n`

/** Files of a new tests folder, by path below it. */
export const newTestFiles = (): Readonly<Record<string, string>> => ({
  [TESTS_SCHEMA]: testsSchemaText(),
  'example.yaml': `${schemaLine('example.yaml')}${EXAMPLE_TESTS}`,
})

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

/** Whether any version of Ken wrote this text as a tests schema: files of other origin are never replaced. */
export const isTestsSchema = (text: string): boolean => text.slice(0, 400).includes(`"title": "${TITLE}"`)

const TITLE = 'Test cases of Ken'

/** Schema of a case file: a list, a single case, or a list under `cases`. */
export function testsJsonSchema(): object {
  const { oneOf = [] } = z.toJSONSchema(testCaseFields, { io: 'input', unrepresentable: 'any' }) as unknown as {
    oneOf?: readonly KindSchema[]
  }
  const one = { $ref: '#/$defs/case' }
  const list = { type: 'array', items: one }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: TITLE,
    if: { type: 'array' },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    then: list,
    else: {
      if: { type: 'object', required: ['cases'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { type: 'object', properties: { cases: list }, additionalProperties: false },
      else: one,
    },
    $defs: {
      case: caseSchema(),
      ...Object.fromEntries(oneOf.map((kind) => [kind.properties.kind.const, asWritten(kind)])),
    },
  }
}

interface KindSchema {
  readonly properties: { readonly kind: { readonly const: string } } & Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/** Schema selected by kind, so that an editor reports the errors of one kind only. */
const caseSchema = (): object => ({
  type: 'object',
  properties: {
    kind: { enum: CASE_KINDS, description: 'What is tested. Where it is left out, the other fields say it.' },
  },
  allOf: [
    ...CASE_KINDS.map((kind) => ({
      if: { properties: { kind: { const: kind } }, required: ['kind'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { $ref: `#/$defs/${kind}` },
    })),
    {
      if: { not: { required: ['kind'] } },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { anyOf: CASE_KINDS.map((kind) => ({ $ref: `#/$defs/${kind}` })) },
    },
  ],
})

/** Makes the kind optional, and the name, which a file with a single case may omit. */
const asWritten = ({ required = [], ...schema }: KindSchema): object => ({
  ...schema,
  required: required.filter((field) => field !== 'kind' && field !== 'name'),
})
