import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { changeComment } from '../domain/guard/change-comment.ts'
import { GUARD_RULES, type Reported, toGithub, toGitlab, toSarif } from '../domain/guard/report-formats.ts'
import { type ChangeReview, reviewChange } from '../review-change.ts'
import { driftFinding, DRIFT_RULES, toReported } from './drift.ts'
import { guardFinding } from './guard.ts'
import { recordFields, whose } from './record-fields.ts'

const answered = { superseded_by: z.string().optional().describe('The decision of this change that supersedes it.') }

export const pullRequest = defineOperation({
  name: 'pull_request',
  title: 'Review a pull request against decisions',
  summary:
    'What a branch means for the record of its base: rejected things it reintroduces, drift it causes or mends, decisions it records.',
  details: `The record of the base judges, found through the configuration of the base: nothing that the branch changes in .ken, ken.yaml or the record decides what is reported. Nothing of the branch is executed.
A decision that the branch itself supersedes is reported as such and does not fail the check. The answer is empty if there is nothing to say.`,
  forPeople: 'Report what a branch means for the decisions of its base, as a comment, annotations or SARIF.',
  searchHint: 'review pull request, merge request, decisions',
  effect: 'read',
  words: 'record',
  needs: ['machine', 'record'],
  hiddenFrom: FOR_PEOPLE,
  input: {
    base: z.string().min(1).max(300).describe('Branch or revision that the change is for, e.g. origin/main.'),
    format: z
      .enum(['text', 'markdown', 'json', 'github', 'sarif', 'gitlab'])
      .default('text')
      .describe('text is for reading; markdown a comment; gitlab a Code Quality report.'),
    fail_on: z
      .enum(['none', 'returns', 'governed', 'drift', 'any'])
      .default('none')
      .describe('Exit with 1 when there is such a finding.'),
  },
  output: {
    ...recordFields,
    base: z.string(),
    files: z.number().describe('Changed files.'),
    findings: z.array(guardFinding.extend(answered)),
    drift: z.object({ caused: z.array(driftFinding.extend(answered)), mended: z.array(driftFinding) }),
    recorded: z
      .array(
        z.object({
          path: z.string(),
          change: z.enum(['added', 'edited', 'deleted']),
          label: z.string(),
          title: z.string(),
          supersedes: z.array(z.string()),
          is_proposal: z.boolean().describe('Proposed by an agent, not accepted yet.'),
        }),
      )
      .describe('Decisions that the branch adds, edits or deletes.'),
    pending: z.array(z.object({ label: z.string(), title: z.string() })).describe('Agent proposals pending review.'),
    notes: z.array(z.string()),
    comment: z.string().describe('The report as Markdown; empty if there are no findings.'),
    annotations: z.array(z.string()).describe('Workflow commands of GitHub Actions.'),
    failed: z.boolean(),
  },
  examples: [
    { title: 'Before opening a pull request', input: { base: 'HEAD' } },
    { title: 'For GitLab, failing on rejected things', input: { base: 'HEAD', format: 'gitlab', fail_on: 'returns' } },
  ],
  async run(ctx, input) {
    const review = await reviewChange(ctx, input)
    const { store, shown, files, findings, caused, mended, recorded, pending, notes } = review
    return {
      ...(store === undefined
        ? { store: 'local', project: { id: '', name: '' }, trust: 'from the clone' }
        : { ...whose(store, shown), ...(recorded.length > 0 && { trust: 'from the clone' }) }),
      base: input.base,
      files,
      findings: findings.map(({ supersededBy, ...each }) => ({
        ...each,
        also: [...each.also],
        ...(supersededBy !== undefined && { superseded_by: supersededBy }),
      })),
      drift: {
        caused: caused.map(({ supersededBy, thing: _, ...each }) => ({
          ...each,
          also: [...each.also],
          ...(supersededBy !== undefined && { superseded_by: supersededBy }),
        })),
        mended: mended.map(({ thing: _, ...each }) => ({ ...each, also: [...each.also] })),
      },
      recorded: recorded.map(({ path, change, label, title, supersedes, isProposal }) => ({
        path,
        change,
        label,
        title,
        supersedes: [...supersedes],
        is_proposal: isProposal,
      })),
      pending: [...pending],
      notes: [...notes],
      comment: changeComment(review),
      annotations: toGithub(reportedOf(review))
        .split('\n')
        .filter((line) => line !== ''),
      failed: isFailing(review, input.fail_on),
    }
  },
  isProse: (input) => input.format === 'text',
  render(output, { format }) {
    const reported = reportedOf({ findings: output.findings, caused: output.drift.caused })
    if (format === 'markdown') return output.comment
    if (format === 'json') return JSON.stringify(output, null, 2)
    if (format === 'github') return output.annotations.join('\n')
    if (format === 'sarif') return JSON.stringify(toSarif(reported, [...GUARD_RULES, ...DRIFT_RULES]), null, 2)
    if (format === 'gitlab') return JSON.stringify(toGitlab(reported), null, 2)
    return (
      output.comment ||
      [`${plural(output.files, 'changed file')} since ${output.base}: nothing to report.`, ...output.notes].join('\n')
    )
  },
  exit: (output) => (output.failed ? 1 : 0),
})

const reportedOf = ({ findings, caused }: Pick<ChangeReview, 'findings' | 'caused'>): Reported[] => [
  ...findings,
  ...caused.map(toReported),
]

function isFailing({ findings, caused }: ChangeReview, failOn: string): boolean {
  const open = findings.filter((each) => each.supersededBy === undefined && !each.inferred)
  const drifted = caused.some((each) => each.supersededBy === undefined && each.level === 'contradicts')
  if (failOn === 'any') return open.length > 0 || drifted
  return failOn === 'drift' ? drifted : open.some(({ kind }) => kind === failOn)
}
