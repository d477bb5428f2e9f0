import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { harvestSessions } from '../harvest-sessions.ts'
import { leaseTaken, withLease } from '../lease.ts'
import { checkDisk } from '../storage-limits.ts'

const count = z.number().int()
const PATIENCE = 60_000
const FAULTS_SHOWN = 10

const clientHarvest = z.object({
  client: z.string(),
  roots: z.array(z.string()),
  new: count,
  changed: count,
  unchanged: count,
  expired: count.describe('Older than storage.retention.'),
  buried: count.describe('Evicted or forgotten before.'),
  emptied: count.describe('Copies removed because nothing is left of the session.'),
  redactions: count,
  bad_lines: count,
  skipped: z.record(z.string(), count),
  faults: z.array(z.object({ path: z.string(), why: z.string(), reason: z.string() })),
})

export const harvest = defineOperation({
  name: 'harvest',
  title: 'Harvest sessions',
  summary: 'Index the coding agent sessions on this machine.',
  details:
    "The agents' own files are only read. Secrets are taken out before anything is stored; each session becomes one Markdown file under sessions/.",
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  words: 'own',
  needs: ['machine', 'memory'],
  hiddenFrom: FOR_PEOPLE,
  input: {
    client: z.array(z.string()).optional().describe('Only this agent, e.g. claude-code; may be repeated.'),
    dry_run: z.boolean().default(false).describe('Only show what would be harvested.'),
    again: z.boolean().default(false).describe('Read everything again, not only what is new.'),
  },
  output: {
    dry_run: z.boolean(),
    clients: z.array(clientHarvest),
    indexed: z.object({ added: count, changed: count, removed: count }).optional(),
  },
  examples: [
    { title: 'Everything new', input: {} },
    { title: 'Only look', input: { client: ['claude-code'], dry_run: true } },
  ],
  async run(ctx, input) {
    const parts = await ctx.upkeep()
    if (!input.dry_run) await checkDisk(ctx, parts)
    const request = { clients: input.client ?? [], dryRun: input.dry_run, again: input.again }
    const reports = await withLease(parts.lease, PATIENCE, () => harvestSessions(ctx, parts, request))
    if (reports === undefined) throw leaseTaken()
    const clients = reports.map(({ badLines, ...report }) => ({
      ...report,
      roots: [...report.roots],
      bad_lines: badLines,
    }))
    if (input.dry_run) return { dry_run: true, clients }
    // Also without new sessions: the last harvest may have been stopped before indexing.
    const memory = await ctx.memory()
    const { busy, added, changed, removed } = await memory.update({
      collections: ['sessions'],
      embed: true,
      progress: ctx.progress,
      signal: ctx.signal,
    })
    return { dry_run: false, clients, ...(busy ? {} : { indexed: { added, changed, removed } }) }
  },
  render(output) {
    const rows = output.clients.filter(({ roots }) => roots.length > 0).flatMap(clientLines)
    if (rows.length === 0) return 'No sessions of a coding agent are on this machine.'
    if (output.dry_run) rows.push('Nothing was written (--dry-run).')
    else if (output.indexed === undefined)
      rows.push('Another process is updating the index; a search finds them when it has ended.')
    return rows.join('\n')
  },
})

function clientLines(report: z.output<typeof clientHarvest>): string[] {
  const parts = [
    plural(report.new, 'new session'),
    `${report.changed} changed`,
    report.emptied > 0 && `${report.emptied} now empty`,
    report.expired > 0 && `${report.expired} left out by storage.retention`,
    report.buried > 0 && `${report.buried} kept out`,
    report.redactions > 0 && `${plural(report.redactions, 'secret')} redacted`,
    report.bad_lines > 0 && plural(report.bad_lines, 'bad line'),
  ]
  const rest = report.faults.length - FAULTS_SHOWN
  return [
    `${report.client}: ${parts.filter(Boolean).join(', ')}`,
    ...report.faults.slice(0, FAULTS_SHOWN).map(({ path, reason }) => `  ${path}: ${reason}`),
    ...(rest > 0 ? [`  and ${rest} more; see --json`] : []),
  ]
}
