import { AppError } from '../../../kernel/domain/errors.ts'
import { openLineageReader } from '../../domain/sources/openlineage-events.ts'
import type { Source } from '../../ports/source.ts'
import { openExportFiles } from '../export-files.ts'
import { pagesSource, withTables } from '../lineage-source.ts'

/**
 * Run events that Airflow, Dagster, Spark or dbt wrote to files: one page per job, and the jobs that write each table.
 */
export function openOpenLineageSource({ path, target }: { readonly path: string; readonly target: string }): Source {
  return pagesSource(target, async () => {
    const files = await openExportFiles(path, /\.(?:json|ndjson|jsonl)$/)
    const reader = openLineageReader()
    const skipped: { title: string; reason: string }[] = []
    let taken = 0
    try {
      for (const file of files.paths) {
        let lost = 0
        for (const event of eventsIn((await files.read(file))?.toString('utf8') ?? ''))
          if (reader.add(event)) taken++
          else lost++
        if (lost > 0) skipped.push({ title: file, reason: `${lost} of its entries are no run events` })
      }
    } finally {
      await files.close()
    }
    if (taken === 0)
      throw new AppError('unavailable', `No OpenLineage events found in ${path}.`, {
        hint: 'Let the file transport of OpenLineage write them there.',
      })
    return { pages: withTables('OpenLineage', reader.jobs()), skipped }
  })
}

/** One event, a list of them, or one per line. */
function* eventsIn(text: string): Generator<unknown> {
  const whole = parsed(text)
  if (whole !== undefined) yield* Array.isArray(whole) ? whole : [whole]
  else
    for (let at = 0; at < text.length;) {
      const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at)
      const line = text.slice(at, end).trim()
      if (line !== '') yield parsed(line)
      at = end + 1
    }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
