import type { ClusterReport } from './cluster.ts'
import { percentile } from './ledger.ts'

const MOST_FAULTS = 5

/** The figures as a table, and the failures by kind. */
export function clusterTable(report: ClusterReport): string {
  const { ledger, memory, mostMemory, broken, unknown, kept, kills } = report
  const rows = ledger.figures.map(({ protocol, effect, times, faults }) => {
    const failed = Object.values(faults).reduce((sum, count) => sum + count, 0)
    const all = times.length + failed
    return [
      `${protocol} ${effect}s`,
      String(all),
      `${failed} (${((100 * failed) / Math.max(1, all)).toFixed(2)} %)`,
      ...[0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(0)),
    ]
  })
  const faults = ledger.figures.flatMap(({ protocol, effect, faults: found }) =>
    Object.entries(found).map(([fault, count]) => `  ${count} × ${protocol} ${effect}: ${fault}`),
  )
  const landed = ledger.writes.filter(({ outcome }) => outcome === 'landed')
  const done = [
    `${landed.filter(({ target }) => target !== undefined).length} superseded by number`,
    ...(['erasure', 'resolution'] as const).map(
      (kind) => `${landed.filter((write) => write.kind === kind).length} ${kind}s`,
    ),
  ].join(', ')
  const count = (outcome: string) => ledger.writes.filter((write) => write.outcome === outcome).length
  return [
    columns([['', 'calls', 'failed', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms'], ...rows]),
    '',
    ...(faults.length === 0 ? [] : ['Failed calls by kind:', ...faults, '']),
    ...(report.faults.length === 0 ? [] : ['Faults in the logs:', ...report.faults.slice(0, MOST_FAULTS), '']),
    `writes: ${count('landed')} acknowledged, ${count('refused')} refused, ${count('unknown')} without an answer (${unknown.there} of them are there, ${unknown.notThere} are not); ${kept} in the database`,
    `among those acknowledged: ${done}`,
    `memory of the replica that lived: ${[0.25, 0.5, 0.75, 1].map((share) => `${memory[Math.max(0, Math.ceil(share * memory.length) - 1)]?.toFixed(0)} MB`).join(', ')} at each quarter; the most of any: ${mostMemory.toFixed(0)} MB; ${kills} kills`,
    ...Object.entries(broken).map(
      ([promise, list]) => `${promise}: ${list.length}${list.length > 0 ? `  ${list.slice(0, 5).join('; ')}` : ''}`,
    ),
  ].join('\n')
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  return rows
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '))
    .join('\n')
}
