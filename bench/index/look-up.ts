import { DatabaseSync } from 'node:sqlite'
import { openKen } from '../../src/app/open.ts'

export interface Latency {
  readonly p50: number
  readonly p95: number
}

/**
 * Compares Ken's word search with a bare FTS5 look-up of the same words in the same corpus, in this process and
 * alternating, so that machine and runtime effects cancel out of the ratio.
 */
export async function measureLookUps(
  { home, folder, control }: { home: string; folder: string; control: string },
  { queries, warmUp }: { queries: readonly string[]; warmUp: readonly string[] },
): Promise<{ ken: Latency; bare: Latency }> {
  const ken = openKen({ HOME: folder, KEN_HOME: home, KEN_TELEMETRY: '0', KEN_UPKEEP: '0' }, () => {})
  const memory = await ken.context({ origin: { surface: 'cli' }, cwd: folder }).memory()
  const database = new DatabaseSync(control, { readOnly: true })
  const find = database.prepare(
    "SELECT page.path, page.title, bm25(page_fts) AS score, snippet(page_fts, 1, '', '', '', 24) AS shown FROM page_fts JOIN page ON page.id = page_fts.rowid WHERE page_fts MATCH ? ORDER BY rank LIMIT 10",
  )
  const times: Record<'ken' | 'bare', number[]> = { ken: [], bare: [] }
  for (const text of [...warmUp, ...queries]) {
    times.ken.push(await timed(() => memory.search({ text, by: 'words', scope: {}, limit: 10 })))
    const words = text.split(' ').map((word) => `"${word}"`)
    times.bare.push(await timed(() => find.all(words.join(' OR '))))
  }
  database.close()
  await ken.close()
  return { ken: latencyOf(times.ken.slice(warmUp.length)), bare: latencyOf(times.bare.slice(warmUp.length)) }
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b)
  return { p50: sorted[Math.floor(sorted.length * 0.5)]!, p95: sorted[Math.floor(sorted.length * 0.95)]! }
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
