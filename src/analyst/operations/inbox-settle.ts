import { z } from 'zod'
import { applyDraft, draftFault, planDraft, unapplyDraft, type ApplyParts } from '../../evaluation/apply-draft.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { plainText, visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { flagOrResolve } from '../../record/flag-question.ts'
import { propose } from '../../record/propose.ts'
import { refreshAgentsMd } from '../../record/refresh-agents-md.ts'
import { readDecisionDraft, readQuestionDraft } from '../domain/feedback/captured-draft.ts'
import { DRAFT_KINDS, type Draft } from '../domain/feedback/feedback.ts'
import { ruleLine } from '../domain/feedback/rules-file.ts'
import { draftField, draftNamed, shortId } from './draft-named.ts'
import { projectKey } from './project-key.ts'

const LONGEST_BODY = 100_000
const LONGEST_TITLE = 100

const settledOutput = { id: z.string(), kind: z.enum(DRAFT_KINDS), title: z.string() }

export const inboxApply = defineOperation({
  name: 'inbox_apply',
  title: 'Apply a draft',
  summary: 'Apply a draft: writes its rule, test, memory, decision or question.',
  details: 'Shows what would change and asks. Applied twice, it is there once. `ken inbox undo` takes it back.',
  effect: 'write',
  fromPage: 'free',
  words: 'analyst',
  needs: ['analyst', 'context', 'machine', 'record'],
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['draft'],
  input: { draft: draftField, yes: z.boolean().default(false).describe('Do not ask (for scripts).') },
  output: {
    ...settledOutput,
    outcome: z.enum(['applied', 'declined', 'unanswered']),
    where: z.string(),
    diff: z.string(),
    note: z.string().optional(),
  },
  examples: [{ title: 'The newest, without being asked', input: { draft: 'last', yes: true } }],
  async run(ctx, input) {
    const draft = await draftNamed(ctx, input.draft)
    checkWaiting(draft)
    const parts = await applyParts(ctx, draft)
    const plan = await planDraft(draft, parts)
    const told = {
      id: draft.id,
      kind: draft.kind,
      title: draft.title,
      where: plan.where,
      diff: plan.diff,
      ...(plan.note !== undefined && { note: plan.note }),
    }
    if (!input.yes && ctx.confirm === undefined) return { ...told, outcome: 'unanswered' as const }
    const question = `${plan.where}\n${plan.diff || '(It is there already.)'}\n\nApply this?`
    if (!input.yes && !(await ctx.confirm!(question))) return { ...told, outcome: 'declined' as const }
    const where = await applyDraft(draft, plan, parts)
    const at = ctx.clock.now().toISOString()
    await (await ctx.analystState()).feedback.settle(draft.id, { how: 'applied', at, where })
    return { ...told, where, outcome: 'applied' as const }
  },
  render: ({ id, kind, outcome, where, diff, note }) =>
    [
      ...(outcome === 'applied'
        ? [`Applied the ${kind} ${shortId(id)} to ${where}.`]
        : outcome === 'declined'
          ? ['No changes.']
          : [
              where,
              diff || '(It is there already.)',
              '',
              'Nothing was changed yet: answer at a terminal, or say --yes.',
            ]),
      ...(note === undefined || outcome === 'declined' ? [] : [note]),
    ].join('\n'),
  exit: ({ outcome }) => (outcome === 'applied' ? 0 : 1),
})

export const inboxEdit = defineOperation({
  name: 'inbox_edit',
  title: 'Edit a draft',
  summary: 'Edit a draft in your editor.',
  details: 'Needs a terminal and $VISUAL or $EDITOR; --text takes the whole new text instead, - for standard input.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['draft'],
  input: {
    draft: draftField,
    text: z.string().max(LONGEST_BODY).optional().describe('The whole new text; default: open your editor.'),
  },
  output: { ...settledOutput, changed: z.boolean() },
  examples: [{ title: 'With the text at hand', input: { draft: 'last', text: 'Revenue is net of refunds.' } }],
  async run(ctx, input) {
    const draft = await draftNamed(ctx, input.draft)
    checkWaiting(draft)
    const given = input.text === undefined ? await editedText(ctx, draft) : plainText(input.text)
    const body = draft.kind === 'rule' ? ruleLine(given) : given
    const fault = draftFault({ kind: draft.kind, body })
    if (fault !== undefined) throw new AppError('invalid_input', fault, { hint: 'No changes.' })
    const title = titleOf(draft.kind, body) ?? draft.title
    const changed = body !== draft.body
    if (changed) await (await ctx.analystState()).feedback.edit(draft.id, { title, body })
    return { id: draft.id, kind: draft.kind, title, changed }
  },
  render: ({ id, kind, changed }) =>
    changed
      ? `The ${kind} ${shortId(id)} is changed; ${operationNamed('inbox_apply')} puts it into effect.`
      : `The ${kind} ${shortId(id)} stays as it is.`,
})

export const inboxDismiss = defineOperation({
  name: 'inbox_dismiss',
  title: 'Dismiss a draft',
  summary: 'Dismiss a draft.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['draft'],
  input: { draft: draftField },
  output: settledOutput,
  examples: [{ title: 'The newest', input: { draft: 'last' } }],
  async run(ctx, input) {
    const draft = await draftNamed(ctx, input.draft)
    checkWaiting(draft)
    const at = ctx.clock.now().toISOString()
    await (await ctx.analystState()).feedback.settle(draft.id, { how: 'dismissed', at })
    return { id: draft.id, kind: draft.kind, title: draft.title }
  },
  render: ({ id, kind }) => `The ${kind} ${shortId(id)} is dismissed; ${operationNamed('inbox_undo')} brings it back.`,
})

export const inboxUndo = defineOperation({
  name: 'inbox_undo',
  title: 'Take back what was done with a draft',
  summary: 'Revert an applied draft, or reopen a dismissed one.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context', 'machine', 'record'],
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['draft'],
  input: { draft: draftField },
  output: {
    ...settledOutput,
    was: z.enum(['applied', 'dismissed']),
    removed: z.boolean(),
    where: z.string().optional(),
  },
  examples: [{ title: 'The last settled draft', input: { draft: 'last' } }],
  async run(ctx, input) {
    const draft = await draftNamed(ctx, input.draft, 'settled')
    const { id, kind, title, settled } = draft
    if (settled === undefined)
      throw new AppError('conflict', `The ${kind} ${shortId(id)} is still pending: nothing to undo.`)
    const removed = settled.how === 'applied' && (await unapplyDraft(draft, await applyParts(ctx, draft)))
    await (await ctx.analystState()).feedback.reopen(id)
    const where = settled.how === 'applied' ? settled.where : undefined
    return { id, kind, title, was: settled.how, removed, ...(where !== undefined && { where }) }
  },
  render: ({ id, kind, was, removed, where }) =>
    was === 'dismissed'
      ? `The ${kind} ${shortId(id)} waits again.`
      : removed
        ? `The ${kind} ${shortId(id)} is taken out of ${where}, and waits again.`
        : `The ${kind} ${shortId(id)} was no longer in ${where}; it waits again.`,
})

/** Title of an edited draft; undefined if the text has none. */
function titleOf(kind: Draft['kind'], body: string): string | undefined {
  const text =
    kind === 'rule'
      ? body
      : kind === 'decision'
        ? readDecisionDraft(body)?.title
        : kind === 'question'
          ? readQuestionDraft(body)?.question
          : undefined
  return text === undefined ? undefined : ellipsis(visibleLine(text), LONGEST_TITLE)
}

function checkWaiting({ id, kind, settled }: Draft): void {
  if (settled === undefined) return
  throw new AppError('conflict', `The ${kind} ${shortId(id)} was already ${settled.how}.`, {
    hint: `Undo that with ${operationNamed('inbox_undo')}.`,
  })
}

export async function applyParts(
  ctx: Given<'analyst' | 'context' | 'machine' | 'record'>,
  draft: Draft,
): Promise<ApplyParts> {
  const { memories } = await ctx.analystState()
  return {
    files: ctx.configFiles,
    memories,
    clock: ctx.clock,
    root: () => rootOf(ctx, draft),
    record: (captured) => recordCaptured(ctx, draft, captured),
  }
}

/** Records an accepted draft; the journal names the person, not the agent of the session. */
async function recordCaptured(
  ctx: Given<'analyst' | 'machine' | 'record'>,
  draft: Draft,
  captured: Parameters<ApplyParts['record']>[0],
): Promise<string> {
  if (draft.project !== (await projectKey(ctx)))
    throw new AppError('conflict', 'This was captured in another project.', { hint: `Accept it in ${draft.folder}.` })
  const store = await ctx.record()
  const refused = (reason: string | undefined): AppError =>
    new AppError('invalid_input', reason ?? 'The record refused it.', {
      hint: `Change it with ${operationNamed('inbox_edit')}.`,
    })
  if ('question' in captured) {
    const { question, context } = captured
    const outcome = await flagOrResolve(ctx, store, { question, context })
    if (outcome.num === undefined) throw refused(outcome.error?.reason)
    return `Q${outcome.num}`
  }
  const { title, rationale, rejected, files, supersedes } = captured
  const outcome = await propose(ctx, store, {
    title,
    rationale,
    rejected,
    operation: supersedes === undefined ? 'add' : 'supersede',
    ...(supersedes !== undefined && { affected_decision_id: supersedes }),
    ...(files.length > 0 && { files_affected: files }),
    base_commit: await (await ctx.repository())?.head(),
  })
  if (outcome.decision_id === undefined || outcome.status === 'rejected')
    throw refused(outcome.error?.reason ?? outcome.assessment)
  await refreshAgentsMd(ctx, store)
  return `D${Number.parseInt(outcome.decision_id.replace(/^\D*/, ''), 10)}`
}

/** Returns the draft's folder. If it is gone or is now a link, an enclosing project does not replace it. */
async function rootOf(ctx: Given<'context'>, { folder }: Draft): Promise<string> {
  const project = await ctx.contextProject(folder).catch(() => undefined)
  if (project?.root === folder) return folder
  throw new AppError('not_found', `${folder} is not a context project.`, {
    hint: 'Rules and tests need a context project: run `ken init-context`.',
  })
}

const NAMES = { rule: 'md', test: 'yaml', memory: 'json', decision: 'yaml', question: 'yaml' } as const

/** Returns the text as edited by the person; an invalid text can be corrected before it is lost. */
async function editedText(ctx: Given, { id, kind, body }: Draft): Promise<string> {
  if (ctx.editText === undefined)
    throw new AppError('unavailable', 'Can’t open an editor: needs a terminal and $VISUAL or $EDITOR.', {
      hint: 'Pass the new text with --text.',
    })
  const name = `${kind}-${shortId(id)}.${NAMES[kind]}`
  let text = plainText(await ctx.editText(body, name))
  for (;;) {
    const fault = draftFault({ kind, body: kind === 'rule' ? ruleLine(text) : text })
    if (fault === undefined || text === body || !(await ctx.confirm?.(`${fault}\nEdit it again?`))) return text
    text = plainText(await ctx.editText(text, name))
  }
}
