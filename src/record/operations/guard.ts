import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { unreadableLine } from '../domain/decision/catalogue.ts'
import { FINDING_KINDS, type Finding, SEVERITIES } from '../domain/guard/finding.ts'
import { GUARD_RULES, toGithub, toSarif } from '../domain/guard/report-formats.ts'
import { type GuardReport, changedFiles, guardChanges } from '../guard.ts'
import { recordFields, whose } from './record-fields.ts'

export const guardFinding = z.object({
  kind: z.enum(FINDING_KINDS),
  severity: z.enum(SEVERITIES),
  file: z.string(),
  line: z.number().nullable(),
  also: z.array(z.string()).describe('Other changed files with the same reason.'),
  decision: z.object({
    num: z.number(),
    label: z.string(),
    title: z.string(),
    status: z.enum(['active', 'superseded']),
  }),
  reason: z.string(),
  thing: z.string().optional().describe('The rejected thing it reintroduces.'),
  inferred: z
    .boolean()
    .optional()
    .describe('It rests on a rejection that an import inferred: it never fails the check.'),
})

export const guard = defineOperation({
  name: 'guard',
  title: 'Hold a diff against the record',
  summary:
    'Call before committing: which decisions the changed files and words touch, and what they bring back that was rejected.',
  details: `Compares the working tree with HEAD, or with --base what the branch changed since it left that revision.
\`returns\`: a package, import or name that a decision rejected, or that a replaced decision stood for. \`governed\`: a changed file that a decision names.
\`touched\`: packages, comments and new names that a decision is about. The exit code is 0 unless --fail-on says otherwise; what an import only inferred to be rejected is a note and never fails.`,
  forPeople: 'Check uncommitted changes against decisions.',
  searchHint: 'before commit, check diff against decisions',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  positional: ['paths'],
  unlisted: ['diff'],
  input: {
    paths: z
      .array(z.string())
      .max(1000)
      .optional()
      .describe('Only these files, folders or globs, relative to the repository root.'),
    base: z.string().min(1).max(300).optional().describe('A revision, e.g. origin/main; by default HEAD.'),
    diff: z
      .string()
      .max(2_000_000)
      .optional()
      .meta(forPeople('A unified diff to check instead of the working tree, e.g. "$(git diff)".')),
    format: z.enum(['text', 'json', 'sarif', 'github']).default('text'),
    fail_on: z.enum(['none', 'returns', 'governed', 'any']).default('none').describe('Exit with 1 on this finding.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    base: z.string().describe('The base of the comparison.'),
    files: z.number().describe('Changed files.'),
    findings: z.array(guardFinding),
    unreadable: z.number().describe('Decision files that could not be read, so that nothing was held against them.'),
    failed: z.boolean(),
    cut: z.array(z.string()).describe('Files too large to read in full.'),
    topics_left: z.number().describe('Words that were not looked up, because the diff is too large.'),
  },
  examples: [
    { title: 'Staged changes below src', input: { paths: ['src'] } },
    {
      title: 'As annotations, failing on reintroduced things',
      input: { paths: ['src'], format: 'github', fail_on: 'returns' },
    },
  ],
  async run(ctx, input) {
    const files = await changedFiles(ctx, input)
    const store = await ctx.record(input.project_id)
    const { shown, findings, cut, topics_left } = await guardChanges(ctx, store, {
      files,
      base: input.base,
      diff: input.diff,
    })
    return {
      ...whose(store, shown),
      base: input.diff === undefined ? (input.base ?? 'HEAD') : 'the diff',
      files: files.length,
      findings: findings.map((each) => ({ ...each, also: [...each.also] })),
      unreadable: (await store.catalogue()).unreadable.length,
      failed: findings.some((each) => !each.inferred && (input.fail_on === 'any' || each.kind === input.fail_on)),
      cut,
      topics_left,
    }
  },
  isProse: (input) => input.format === 'text',
  render(output, input) {
    if (input.format === 'json') return JSON.stringify(output, null, 2)
    if (input.format === 'sarif') return JSON.stringify(toSarif(output.findings, GUARD_RULES), null, 2)
    return input.format === 'github' ? toGithub(output.findings) : toText(output)
  },
  exit: (output) => (output.failed ? 1 : 0),
})

function toText({
  base,
  files,
  findings,
  cut,
  topics_left,
  unreadable,
}: Omit<GuardReport, 'shown'> & { base: string; unreadable: number }): string {
  if (files === 0) return `No changes against ${base}.`
  const warnings = findings.filter((each) => each.severity === 'warning').length
  const count =
    findings.length === 0
      ? 'no decision mentions it'
      : `${plural(findings.length, 'finding')}, ${plural(warnings, 'warning')}`
  return [
    `${plural(files, 'changed file')} against ${base}: ${count}.`,
    ...findings.map(
      (each) =>
        `${each.severity.padEnd(8)} ${each.file}${each.line === null ? '' : `:${each.line}`}${also(each)}\n         ${each.reason}`,
    ),
    ...(cut.length === 0 ? [] : [`Too large to read in full: ${cut.join(', ')}`]),
    ...(topics_left === 0 ? [] : [`The diff is large: ${plural(topics_left, 'name')} were not looked up.`]),
    ...(unreadable === 0 ? [] : [unreadableLine(unreadable)]),
  ].join('\n')
}

const also = ({ also: others }: Finding): string =>
  others.length === 0 ? '' : ` (and ${plural(others.length, 'more file')})`
