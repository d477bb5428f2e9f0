import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decisionStem } from '../src/record/domain/decision/decision-id.ts'
import { type Decision, isSeed } from '../src/record/domain/decision/decision.ts'
import { formatDecision } from '../src/record/domain/decision/format.ts'
import { parseDecision } from '../src/record/domain/decision/parse.ts'
import { decisionPath } from '../src/record/domain/files.ts'
import { importAdr } from '../src/record/operations/import-adr.ts'
import { checkSets, toDecision } from './check-sets.ts'
import { openImportDesk } from './import-desk.ts'

/** The decisions imported from a project's ADRs, and the decision that each file became. */
export interface AdrRecord {
  readonly decisions: readonly Decision[]
  /** Decision numbers by path, including the project's folder. */
  readonly numbers: ReadonlyMap<string, number>
}

/** Imports a project's ADRs, as `ken import adr` does. */
export async function importProject(root: string, project: string): Promise<AdrRecord> {
  const desk = await openImportDesk(root, project)
  try {
    const { imported } = await desk.run<{ imported: readonly { path: string; number: number }[] }>(importAdr, {
      path: join(root, project),
      dry_run: false,
    })
    const { decisions } = await desk.store.catalogue()
    return {
      decisions: await Promise.all(
        decisions
          .filter((entry) => !isSeed(entry))
          .map(async ({ stem }) => parseDecision((await desk.store.read(decisionPath(stem)))!, `${stem}.md`)),
      ),
      numbers: new Map(imported.map(({ path, number }) => [`${project}/${path}`, number])),
    }
  } finally {
    await desk.close()
  }
}

/** Merges several records into one: numbers move up, and supersession links move with them. */
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

/** Decisions of the other check sets, then Knowl facts converted to decisions. */
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
