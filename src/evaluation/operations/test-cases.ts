import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { foundCaseText } from '../domain/case-text.ts'
import { CASE_KINDS } from '../domain/test-case.ts'
import { chooseCases, brokenFields, brokenLines, choiceFields } from './choose-cases.ts'
import { casesIn, testsPlace } from './tests-here.ts'

export const testCases = defineOperation({
  name: 'test_cases',
  title: 'List the tests',
  summary: 'List test cases, and entries that are not valid cases.',
  effect: 'read',
  words: 'own',
  needs: ['context', 'machine', 'record'],
  positional: ['select'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: { ...choiceFields, whole: z.boolean().default(false).describe('Include the text of each case.') },
  output: {
    folder: z.string(),
    cases: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        kind: z.enum(CASE_KINDS),
        tags: z.array(z.string()),
        file: z.string(),
        line: z.number(),
        text: z.string().optional().describe('The case as YAML.'),
      }),
    ),
    drafts: z.array(z.object({ name: z.string(), file: z.string(), line: z.number() })),
    broken: brokenFields,
  },
  examples: [
    { title: 'All of them', input: {} },
    { title: 'With their contents', input: { whole: true } },
  ],
  async run(ctx, input) {
    const place = await testsPlace(ctx)
    const { cases, broken, drafts } = await casesIn(ctx, place)
    return {
      folder: place.within,
      cases: chooseCases(cases, input).map(({ id, file, line, test }) => ({
        id,
        name: test.name,
        kind: test.kind,
        tags: test.tags,
        file,
        line,
        ...(input.whole && { text: foundCaseText(test) }),
      })),
      drafts: drafts.map(({ name, file, line }) => ({ name, file, line })),
      broken: broken.map((one) => ({ ...one })),
    }
  },
  render({ folder, cases, drafts, broken }, _input, view = PLAIN) {
    if (cases.length + drafts.length + broken.length === 0)
      return `There are no tests in ${folder}/ yet. Write a list of cases into ${folder}/first.yaml, or make one from a chat with ${operationNamed('test_record')}.`
    const rows = cases.map(({ kind, name, tags, file, line }) => [kind, name, tags.join(', '), `${file}:${line}`])
    const columns = [{ tone: 'dim' }, { shrinks: true, tone: 'title' }, {}, { tone: 'dim' }] as const
    return [
      `${plural(cases.length, 'case')} in ${folder}/:`,
      ...table(rows, columns, view, '  ').flatMap((line, at) => [line, ...textLines(cases[at]!.text)]),
      ...drafts.map(({ name, file, line }) => `  draft: ${name} (${file}:${line})`),
      ...brokenLines(broken, view),
    ].join('\n')
  },
  exit: ({ broken }) => (broken.length > 0 ? 2 : 0),
})

const textLines = (text: string | undefined): readonly string[] =>
  (text ?? '').split('\n').flatMap((line) => (line === '' ? [] : [`      ${line}`]))
