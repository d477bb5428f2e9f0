import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/adapters/clock/system/index.ts'
import { diskFiles } from '../src/adapters/files/disk/index.ts'
import { openFileStore } from '../src/adapters/store/files/index.ts'
import { decisionStem } from '../src/core/decision/decision-id.ts'
import { type Decision, isSeed } from '../src/core/decision/decision.ts'
import { formatDecision } from '../src/core/decision/format.ts'
import { parseDecision } from '../src/core/decision/parse.ts'
import { decisionPath } from '../src/core/record/files.ts'
import { call } from '../src/operations/call.ts'
import { importAdr } from '../src/operations/record/import-adr.ts'
import type { Context } from '../src/ports/context.ts'
import { startRecord } from '../src/record/start-record.ts'
import { checkSets, toDecision } from './check-sets.ts'

/** The decisions that a project's ADRs became, and the decision that each file became. */
export interface AdrRecord {
  readonly decisions: readonly Decision[]
  /** By path, with the project's folder in front. */
  readonly numbers: ReadonlyMap<string, number>
}

/** Imports the ADRs of a project as `ken import adr` does. */
export async function importProject(root: string, project: string): Promise<AdrRecord> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-eval-adrs-'))
  const store = await openFileStore({
    root: join(folder, 'record'),
    project: { id: 'X', name: project, mode: 'local', location: folder },
    cacheDir: folder,
    stateDir: join(folder, 'state'),
    clock: systemClock,
  })
  const ctx = {
    clock: systemClock,
    origin: { surface: 'cli' },
    cwd: root,
    files: diskFiles,
    record: async () => store,
    repository: async () => undefined,
    progress() {},
    checkRoom() {},
  } as Partial<Context> as Context
  try {
    await startRecord(ctx, store)
    const { output } = await call(ctx, importAdr, { path: join(root, project), dry_run: false })
    const { imported } = output as unknown as { imported: readonly { path: string; number: number }[] }
    const { decisions } = await store.catalogue()
    return {
      decisions: await Promise.all(
        decisions
          .filter((entry) => !isSeed(entry))
          .map(async ({ stem }) => parseDecision((await store.read(decisionPath(stem)))!, `${stem}.md`)),
      ),
      numbers: new Map(imported.map(({ path, number }) => [`${project}/${path}`, number])),
    }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Several records as one: numbers move up, and what supersedes what moves with them. */
export function mix(records: readonly AdrRecord[], filling: readonly Decision[] = []): AdrRecord {
  const numbers = new Map<string, number>()
  const decisions: Decision[] = []
  let from = 1
  for (const record of records) {
    const moved = (number: string | null) => (number === null ? null : String(Number(number) + from))
    decisions.push(
      ...record.decisions.map((decision) => ({
        ...decision,
        num: decision.num + from,
        supersedes: moved(decision.supersedes),
        superseded_by: moved(decision.superseded_by),
        content: '',
      })),
    )
    for (const [path, number] of record.numbers) numbers.set(path, number + from)
    from = Math.max(from, ...decisions.map(({ num }) => num))
  }
  decisions.push(...filling.map((decision, i) => ({ ...decision, num: from + 1 + i, content: '' })))
  return { decisions, numbers }
}

/** Decisions of the other check sets, then facts of Knowl as if they were decisions. */
export function otherDecisions(data: string, count: number): Decision[] {
  const own = checkSets().flatMap(({ decisions }) => decisions)
  const facts = ['semantic-suite', 'retrieval-suite', 'retrieval-suite-v2'].flatMap((name) => {
    const path = join(data, 'knowl', `${name}.json`)
    if (!existsSync(path)) return []
    const { fixtures } = JSON.parse(readFileSync(path, 'utf8')) as {
      fixtures: readonly { title: string; content: string; reasoning?: string }[]
    }
    return fixtures.map(({ title, content, reasoning = '' }) =>
      toDecision({ num: 0, title, rationale: `${content} ${reasoning}`.trim() }),
    )
  })
  return [...new Map([...own, ...facts].map((decision) => [decision.title, decision])).values()].slice(0, count)
}

export const projectsIn = (root: string): string[] =>
  readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))

export const filesOf = (decisions: readonly Decision[]): Record<string, string> =>
  Object.fromEntries(
    decisions.map((decision) => [
      decisionPath(decisionStem(decision.num, decision.title)),
      decision.content || formatDecision(decision),
    ]),
  )
