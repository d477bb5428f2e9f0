import { z } from 'zod'
import { defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import type { AuditFilter, KeptAuditEntry } from '../domain/audit-entry.ts'
import type { Person } from '../domain/person.ts'
import type { TeamDesk } from '../ports/team-desk.ts'
import { hostedProject, projectOf } from './hosted-project.ts'
import { namedProject } from './named-in-team.ts'

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()])
const id = z.string().min(1).max(200)

const filters = {
  person: z.string().min(1).max(254).optional().describe('Id or e-mail address of the actor or the affected person.'),
  agent: id.optional().describe('Id of a token, grant or session, or a program’s name.'),
  operation: id.optional(),
  outcome: z.string().max(40).optional().describe('`ok`, an error code, or `failed` for all but `ok`.'),
  without_page_reads: z.boolean().default(false).describe('Leave out what pages of the app read.'),
  since: time.optional(),
  until: time.optional(),
  before: z.number().int().positive().optional().describe('`next` of the previous page.'),
  limit: z.number().int().min(1).max(500).default(100),
}

const who = z.object({
  id: z.string(),
  name: z.string().optional().describe('Missing for a deleted person.'),
  email: z.string().optional(),
})

const entry = z.object({
  place: z.number(),
  at: z.string(),
  person: who.optional().describe('Missing for unauthenticated requests and for the server itself.'),
  through: z.string(),
  held: z.string().optional().describe('Id of the token, grant or session.'),
  operation: z.string(),
  effect: z.enum(['read', 'write']),
  project: z.string().optional(),
  subject: z.string().optional().describe('Id of the target.'),
  subject_name: z.string().optional(),
  outcome: z.string(),
  surface: z.string(),
  client: z.string().optional(),
  source: z.string().optional().describe('The address that it came from.'),
})

type EntryRow = z.output<typeof entry>

const page = {
  entries: z.array(entry),
  next: z.number().optional().describe('For `before`; missing on the last page.'),
}

export const auditLog = defineOperation({
  name: 'audit_log',
  title: 'Read the audit log',
  summary: 'List who did what in the organisation, newest first. Contains no content.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { project: id.optional().describe('Id.'), ...filters },
  output: page,
  examples: [
    { title: 'The newest', input: {} },
    { title: 'Refused since a day', input: { outcome: 'forbidden', since: '2026-05-01' } },
    { title: 'What failed, without the app’s own reads', input: { outcome: 'failed', without_page_reads: true } },
  ],
  run: (ctx, input) => readPage(ctx.team, input),
  render: ({ entries }) => lines(entries),
})

export const projectAudit = defineOperation({
  name: 'project_audit',
  title: 'Read the audit log of a project',
  summary: 'List who did what in one project, newest first.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { ...filters, ...projectField },
  output: { ...hostedProject, ...page },
  examples: [{ title: 'The only project', input: {} }],
  async run(ctx, { project_id, ...input }) {
    const project = await namedProject(ctx, project_id)
    return { ...projectOf({ project }), ...(await readPage(ctx.team, { ...input, project: project.id })) }
  },
  render: ({ entries }) => lines(entries),
})

/** Returns only entries of the caller's organisation, whatever the filter. */
async function readPage(
  { auditLog: log, people, caller }: TeamDesk,
  { person, limit, ...filter }: Omit<AuditFilter, 'organisation'>,
): Promise<{ entries: EntryRow[]; next?: number }> {
  const all = await people.list(caller.organisation)
  const address = person?.trim().toLowerCase()
  const meant = person === undefined ? undefined : (all.find(({ email }) => email === address)?.id ?? person)
  const found = await log.read({ ...filter, person: meant, organisation: caller.organisation, limit: limit + 1 })
  const known = new Map(all.map((one) => [one.id, one]))
  const entries = found.slice(0, limit).map((one) => rowOf(one, known))
  return { entries, ...(found.length > limit && { next: entries.at(-1)!.place }) }
}

/** Names are looked up when the log is read, because the log contains only ids. */
function rowOf({ person, organisation: _own, ...rest }: KeptAuditEntry, known: ReadonlyMap<string, Person>): EntryRow {
  const [by, subject] = [known.get(person), known.get(rest.subject ?? '')]
  return {
    ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as typeof rest & EntryRow),
    ...(person !== '' && { person: { id: person, ...(by && { name: by.name, email: by.email }) } }),
    ...(subject && { subject_name: subject.name }),
  }
}

const lines = (entries: readonly EntryRow[]): string =>
  entries.length === 0
    ? 'There is nothing.'
    : entries
        .map(({ at, person, operation, outcome, source }) =>
          [at, person?.email ?? person?.id ?? '-', operation, outcome, source ?? ''].join('  '),
        )
        .join('\n')
