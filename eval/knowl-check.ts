import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../src/kernel/domain/sha256.ts'
import { toDecision, type CheckSet } from './check-sets.ts'
import type { Figure, SuiteOptions } from './suite.ts'
import { checkFiguresOf } from './verdict.ts'

interface Suite {
  readonly fixtures: readonly { id: string; title: string; content: string; reasoning?: string }[]
  readonly cases: readonly { query: string; expectedItemIds: readonly string[] }[]
}

/**
 * Figures of the check on facts written by third parties, treated as decisions: half of the facts are in the record. A
 * question about a recorded fact must find it; a question about the other half must find nothing, although it is about
 * the same product.
 */
export async function knowlCheckFigures({ data, leaveOut }: SuiteOptions): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of ['semantic-suite', 'retrieval-suite']) {
    const path = join(data!, 'knowl', `${name}.json`)
    if (existsSync(path)) figures.push(...(await checkFiguresOf(`Knowl ${name}`, readSet(name, path))))
    else leaveOut(`Knowl ${name}`, `there is no ${path}`)
  }
  return figures
}

function readSet(domain: string, path: string): CheckSet {
  const { fixtures, cases } = JSON.parse(readFileSync(path, 'utf8')) as Suite
  const inRecord = fixtures.filter(({ id }) => Number.parseInt(sha256(id).slice(0, 2), 16) % 2 === 0)
  const numberOf = new Map(inRecord.map(({ id }, i) => [id, i + 2]))
  return {
    domain,
    decisions: inRecord.map(({ id, title, content, reasoning }) =>
      toDecision({ num: numberOf.get(id)!, title, rationale: [content, reasoning ?? ''].join(' ').trim() }),
    ),
    related: cases.flatMap(({ query, expectedItemIds: [wanted = ''] }) => {
      const decision = numberOf.get(wanted)
      return decision === undefined ? [] : [{ proposal: query, decision }]
    }),
    unrelated: cases
      .filter(({ expectedItemIds }) => expectedItemIds.every((id) => !numberOf.has(id)))
      .map(({ query }) => query),
  }
}
