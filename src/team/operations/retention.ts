import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { LEAST_AUDIT_DAYS, MOST_DELETED_DAYS, SERVER_RETENTION, type Retention } from '../domain/retention.ts'

const kept = {
  audit_days: z.number().describe('Entries of the audit log.'),
  deleted_days: z.number().describe('How long a deleted chat can be brought back.'),
  chat_days: z.number().optional().describe('Chats without a star are deleted then; missing where they stay.'),
}

const rowOf = ({ auditDays, deletedDays, chatDays }: Retention) => ({
  audit_days: auditDays,
  deleted_days: deletedDays,
  ...(chatDays !== undefined && { chat_days: chatDays }),
})

const text = ({
  audit_days: audit,
  deleted_days: deleted,
  chat_days: chats,
}: z.output<z.ZodObject<typeof kept>>): string =>
  [
    `Audit log: ${audit} days.`,
    `Deleted chats: ${deleted} days.`,
    chats === undefined ? 'Chats stay.' : `Chats without a star: ${chats} days after they were used last.`,
  ].join('\n')

export const retention = defineOperation({
  name: 'retention',
  title: 'Show how long things are kept',
  summary: 'Show retention periods in days.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {},
  output: {
    ...kept,
    server: z
      .object({ sessions: z.number(), tokens: z.number(), invitations: z.number(), jobs: z.number() })
      .describe('Days before deletion, for everyone.'),
  },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const { retention: rules, caller } = ctx.team
    return { ...rowOf(await rules.of(caller.organisation)), server: { ...SERVER_RETENTION } }
  },
  render: text,
})

const MOST_DAYS = 36_500

export const retentionSet = defineOperation({
  name: 'retention_set',
  title: 'Say how long things are kept',
  summary: 'Set retention periods for the audit log, deleted chats and unstarred chats.',
  details: 'Older items are deleted permanently within an hour. Unnamed settings stay; 0 for chats keeps them.',
  effect: 'write',
  destructive: true,
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {
    audit_days: z.number().int().min(LEAST_AUDIT_DAYS).max(MOST_DAYS).optional(),
    deleted_days: z.number().int().min(1).max(MOST_DELETED_DAYS).optional(),
    chat_days: z.number().int().min(0).max(MOST_DAYS).optional().describe('0 keeps them forever.'),
  },
  output: kept,
  examples: [{ title: 'Two years of the audit log', input: { audit_days: 730 } }],
  async run(ctx, { audit_days: audit, deleted_days: deleted, chat_days: chats }) {
    const { retention: rules, caller } = ctx.team
    if (audit === undefined && deleted === undefined && chats === undefined)
      throw new AppError('invalid_input', 'No changes given.', { hint: 'Use one of the days.' })
    const now = await rules.of(caller.organisation)
    const next = {
      auditDays: audit ?? now.auditDays,
      deletedDays: deleted ?? now.deletedDays,
      chatDays: chats === undefined ? now.chatDays : chats || undefined,
    }
    await rules.set(caller.organisation, next, ctx.clock.now().toISOString())
    return rowOf(next)
  },
  render: text,
})
