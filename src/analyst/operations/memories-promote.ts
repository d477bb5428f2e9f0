import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { CONFIRM_OR_YES } from '../../kernel/domain/phrases.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { propose } from '../../record/propose.ts'
import { refreshAgentsMd } from '../../record/refresh-agents-md.ts'
import { withRule, ruleLine } from '../domain/feedback/rules-file.ts'
import type { MemoryRow } from '../domain/user-memory/memory-row.ts'
import { memoryField, memoryNamed } from './memory-fields.ts'
import { projectKey } from './project-key.ts'

const RULES = 'RULES.md'

export const memoriesPromote = defineOperation({
  name: 'memories_promote',
  title: 'Promote a memory',
  summary: 'Turn a memory into a project rule (RULES.md) or a decision.',
  details:
    'It then applies to everyone who works on the project. Ken asks first, unless --yes is given. A memory for all your projects stays; one for this project alone is removed, since the project now contains it.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context', 'machine', 'record'],
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['memory'],
  input: {
    ...memoryField,
    to: z.enum(['rules', 'decision']).default('rules'),
    rationale: z.string().max(2_000).optional().describe('Reason, for a decision; default: your original words.'),
    yes: z.boolean().default(false).describe('Do not ask.'),
  },
  output: { to: z.enum(['rules', 'decision']), line: z.string(), where: z.string(), forgotten: z.boolean() },
  examples: [{ title: 'Into RULES.md', input: { memory: 'pie charts', yes: true } }],
  async run(ctx, input) {
    const row = await memoryNamed(ctx, input.memory)
    if (row.project !== undefined && row.project !== (await projectKey(ctx)))
      throw new AppError('conflict', 'The result belongs to another project.', { hint: 'Promote it there.' })
    const line = visibleLine(row.content)
    const place = input.to === 'rules' ? 'RULES.md of this project' : "this project's record"
    if (!input.yes && ctx.approved !== true && (await ctx.confirm?.(`Write "${line}" into ${place}?`)) !== true)
      throw new AppError('invalid_input', 'Nothing was promoted: not confirmed.', {
        hint: CONFIRM_OR_YES,
      })
    const where =
      input.to === 'rules'
        ? await intoRules(ctx, line)
        : await intoRecord(ctx, row, { line, rationale: input.rationale })
    const forgotten = row.project !== undefined
    if (forgotten) {
      const { memories } = await ctx.analystState()
      await memories.apply(ctx.user, [{ kind: 'forget', id: row.id, at: ctx.clock.now().toISOString(), revive: false }])
    }
    return { to: input.to, line, where, forgotten }
  },
  render: ({ line, where, forgotten }) =>
    `${where}: ${line}${forgotten ? ' The memory is forgotten: the project says it now.' : ''}`,
})

async function intoRules(ctx: Given<'context' | 'machine'>, line: string): Promise<string> {
  const project = await ctx.contextProject()
  if ((await project.redact(line)).count > 0)
    throw new AppError('invalid_input', 'The text contains a secret. Not written.', { hint: 'Edit the memory first.' })
  return ctx.configFiles.changeText(project.root, RULES, (now) => {
    const text = withRule(now, ruleLine(line))
    if (text === now) throw new AppError('conflict', `${RULES} already contains this rule.`, { hint: 'No changes.' })
    return { result: RULES, write: text }
  })
}

async function intoRecord(
  ctx: Given<'record'>,
  row: MemoryRow,
  { line, rationale }: { readonly line: string; readonly rationale: string | undefined },
): Promise<string> {
  const store = await ctx.record()
  const outcome = await propose(ctx, store, {
    title: line.replace(/\.$/, ''),
    rationale:
      rationale ?? `Said by a person of this project, to hold from now on: "${visibleLine(row.evidence.words)}"`,
    operation: 'add',
    base_commit: await (await ctx.repository())?.head(),
  })
  if (outcome.status !== 'confirmed')
    throw new AppError('conflict', outcome.assessment, { hint: `See ${operationNamed('check_decision', line)}.` })
  await refreshAgentsMd(ctx, store)
  return outcome.decision_id ?? 'the record'
}
