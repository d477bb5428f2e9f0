import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { type Catalogue, unreadableLine } from '../domain/decision/catalogue.ts'
import { decisionsNamed } from '../domain/decision/decision-id.ts'
import { DRIFT_KINDS, DRIFT_LEVELS, type DriftLevel } from '../domain/drift/drift.ts'
import { type ReportRule, type Reported, toGithub, toSarif } from '../domain/guard/report-formats.ts'
import { type DriftFinding, findDrift, UNCOMMITTED } from '../find-drift.ts'
import { readNamed } from '../named-decision.ts'
import type { Store } from '../ports/store.ts'
import { recordFields, whose } from './record-fields.ts'

export const driftFinding = z.object({
  level: z.enum(DRIFT_LEVELS),
  kind: z.enum(DRIFT_KINDS),
  decision: z.object({ num: z.number(), label: z.string(), title: z.string(), date: z.string() }),
  about: z.string(),
  path: z.string().nullable(),
  line: z.number().nullable(),
  commit: z.object({ id: z.string(), at: z.string() }).nullable().describe('The commit that caused it.'),
  also: z.array(z.string()),
  was: z.string(),
  now: z.string(),
  next: z.string(),
})

type Output = {
  judged: number
  findings: readonly DriftFinding[]
  untold: readonly { decision: string; why: string }[]
  unreadable: number
}

export const drift = defineOperation({
  name: 'drift',
  title: 'Decisions that the repository left behind',
  summary:
    'List active decisions that the code no longer follows: a rejected thing is back, a chosen one is gone, or their files were deleted or changed much.',
  details: `Holds every active decision against the working tree and git's history since the commit it was made at.
\`contradicts\`: something rejected is used now and was not then; something chosen was there and is in no manifest and no import any more; a stated version changed. \`gone\`: files that the decision names were deleted, not renamed. \`changed\`: half of the lines of its files are not there any more; formatting, comments, renames and moved code do not count.
What was there all along, and what never was here, is no drift. The exit code is 0 unless --fail-on says otherwise.`,
  forPeople: 'List decisions the code no longer follows.',
  searchHint: 'stale or outdated decisions, drift',
  effect: 'read',
  words: 'record',
  needs: ['machine', 'record'],
  input: {
    only: z.array(z.string().max(20)).max(1000).optional().describe('Only these, e.g. D12.'),
    since: z.string().min(1).max(300).optional().describe('Only drift after this day or revision.'),
    format: z.enum(['text', 'json', 'sarif', 'github']).default('text').meta(forPeople('Report format.')),
    fail_on: z
      .enum(['none', ...DRIFT_LEVELS])
      .default('none')
      .meta(forPeople('Exit with 1 on a finding of this level or worse.')),
    ...projectField,
  },
  unlisted: ['format', 'fail_on'],
  output: {
    ...recordFields,
    judged: z.number().describe('Active decisions.'),
    findings: z.array(driftFinding),
    untold: z.array(z.object({ decision: z.string(), why: z.string() })).describe('Decisions with less evidence.'),
    unreadable: z.number(),
    failed: z.boolean(),
  },
  examples: [
    { title: 'Decisions that the code no longer follows', input: {} },
    { title: 'Fail a build when a decision is contradicted', input: { fail_on: 'contradicts', format: 'github' } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const only = input.only && (await namedNumbers(input.only, store))
    const { shown, judged, findings, untold } = await findDrift(ctx, store, { only, since: input.since })
    return {
      ...whose(store, shown),
      judged,
      findings: findings.map(({ thing: _, ...each }) => ({ ...each, also: [...each.also] })),
      untold: [...untold],
      unreadable: (await store.catalogue()).unreadable.length,
      failed: input.fail_on !== 'none' && findings.some(({ level }) => isAsBad(level, input.fail_on as DriftLevel)),
    }
  },
  isProse: (input) => input.format === 'text',
  render(output, input) {
    if (input.format === 'json') return JSON.stringify(output, null, 2)
    if (input.format === 'sarif') return JSON.stringify(toSarif(output.findings.map(toReported), DRIFT_RULES), null, 2)
    return input.format === 'github' ? toGithub(output.findings.map(toReported)) : toText(output)
  },
  exit: (output) => (output.failed ? 1 : 0),
})

const namedNumbers = async (texts: readonly string[], store: Store): Promise<number[]> => {
  const catalogue = await store.catalogue()
  return texts.flatMap((text) => numbersIn(text, catalogue))
}

function numbersIn(text: string, catalogue: Catalogue): number[] {
  return decisionsNamed(text).map(({ id, num }) => {
    const found = readNamed(catalogue, id)?.entry.num ?? num
    if (found !== undefined) return found
    throw new AppError('invalid_input', `No decision "${id}".`, { hint: 'Write it as D12 or 12.' })
  })
}

const isAsBad = (level: DriftLevel, least: DriftLevel): boolean =>
  DRIFT_LEVELS.indexOf(level) <= DRIFT_LEVELS.indexOf(least)

export const DRIFT_RULES: readonly ReportRule[] = [
  {
    kind: 'contradicts',
    name: 'ContradictedDecision',
    text: 'The repository contradicts a decision.',
    level: 'warning',
  },
  { kind: 'gone', name: 'DecisionWithoutFiles', text: 'Files that a decision names are gone.', level: 'note' },
  {
    kind: 'changed',
    name: 'DecisionOnChangedFiles',
    text: 'The files of a decision changed much since.',
    level: 'note',
  },
]

/** A finding about something that is no longer in a file is reported at its subject. */
export const toReported = (each: DriftFinding): Reported => ({
  kind: each.level,
  severity: each.level === 'contradicts' ? 'warning' : 'note',
  file: each.path ?? each.about,
  line: each.line,
  also: each.also,
  decision: { ...each.decision, status: 'active' },
  reason: `${each.decision.label} "${each.decision.title}": ${each.now}; ${each.was}. Next: ${each.next}.`,
})

// Longer lists do not fit on a screen and are for programs.
const MOST_SHOWN = 30
const HEADINGS: Readonly<Record<DriftLevel, string>> = {
  contradicts: 'Contradicted',
  gone: 'Files gone',
  changed: 'Changed much',
}

function toText({ judged, findings, untold, unreadable }: Output): string {
  const shown = findings.slice(0, MOST_SHOWN)
  const groups = DRIFT_LEVELS.flatMap((level) => {
    const part = shown.filter((each) => each.level === level)
    const count = findings.filter((each) => each.level === level).length
    return part.length === 0 ? [] : ['', `${HEADINGS[level]} (${count})`, ...part.flatMap(toLines)]
  })
  const drifted = new Set(findings.map(({ decision }) => decision.num)).size
  return [
    findings.length === 0
      ? `${plural(judged, 'active decision')}: none has drifted.`
      : `${drifted} of ${plural(judged, 'active decision')} ${drifted === 1 ? 'has' : 'have'} drifted.`,
    ...groups,
    ...(findings.length > shown.length
      ? ['', `And ${findings.length - shown.length} more; --format json has all.`]
      : []),
    ...untoldLines(untold),
    ...(unreadable === 0 ? [] : [unreadableLine(unreadable)]),
  ].join('\n')
}

function toLines(each: DriftFinding): string[] {
  const place = each.path === null ? '' : `${each.path}${each.line === null ? '' : `:${each.line}`}`
  const more = each.also.length === 0 ? '' : ` (and ${plural(each.also.length, 'more file')})`
  const commit =
    each.commit === null
      ? ''
      : `${each.level === 'changed' ? 'since' : 'by'} ${each.commit.id.slice(0, 7)} of ${each.commit.at.slice(0, 10)}`
  return [
    `  ${each.decision.label} ${ellipsis(each.decision.title, 90)}`,
    `      now   ${[`${each.about}: ${each.now}`, `${place}${more}`, commit].filter((part) => part !== '').join(' · ')}`,
    `      then  ${each.decision.date}: ${ellipsis(each.was, 200)}`,
    `      next  ${each.next}`,
  ]
}

function untoldLines(untold: Output['untold']): string[] {
  const byReason = Map.groupBy(untold, ({ why }) => why)
  return [...byReason].flatMap(([why, group]) => [
    '',
    `What changed since cannot be told of ${plural(group.length, 'decision')}: ${why}.${why === UNCOMMITTED ? '' : ' A clone with the full history can (`git fetch --unshallow`).'}`,
  ])
}
