import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judgeCorpus } from '../test/sql-corpus.ts'
import { engineMissing, openEngine } from '../test/sql-engines.ts'
import { fuzzGate } from '../test/sql-fuzz.ts'
import { judgeScopeCorpus, type Engine } from '../test/sql-scope.ts'
import type { Figure, Half, SuiteOptions } from './suite.ts'

// Runs the corpus of test/fixtures/sql and its scope against the real engines and prints how often the gate was wrong.
// Exits with 1 if it was.
const ENGINES: readonly Engine[] = ['duckdb', 'sqlite', 'postgres', 'mysql']
const FUZZED: readonly Engine[] = ['duckdb', 'sqlite']
const ROUNDS = 3_000
const SEED = 20_261_115
const MOST_FALSE_REFUSALS = 0.01

interface Line {
  readonly engine: Engine
  readonly part: string
  readonly half: Half
  readonly attacks: number
  /** Attacks that would have leaked something without the gate. */
  readonly potent: number | undefined
  readonly reads: number
  readonly falseAllows: readonly string[]
  readonly falseRefusals: readonly string[]
}

export async function sqlFigures({ leaveOut }: Pick<SuiteOptions, 'leaveOut'>): Promise<Figure[]> {
  const lines = await judgeEngines(leaveOut)
  return lines.flatMap(({ engine: set, half, part, attacks, falseAllows, reads, falseRefusals }): Figure[] => [
    { set, half, measure: `${part}: attacks let through`, value: falseAllows.length, of: attacks, better: 'lower' },
    ...(reads === 0
      ? []
      : [
          {
            set,
            half,
            measure: `${part}: reads refused`,
            value: falseRefusals.length,
            of: reads,
            better: 'lower',
          } as const,
        ]),
  ])
}

if (import.meta.main) print(await judgeEngines((engine, why) => console.log(`${engine} left out: ${why}`)))

async function judgeEngines(leaveOut: SuiteOptions['leaveOut']): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-gate-'))
  const lines: Line[] = []
  try {
    for (const engine of ENGINES) {
      const missing = engineMissing(engine)
      if (missing) leaveOut(engine, missing)
      else lines.push(...(await judgeEngine(engine, folder)))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return lines
}

async function judgeEngine(engine: Engine, folder: string): Promise<readonly Line[]> {
  const { warehouse, close } = await openEngine(engine, folder)
  const found: Line[] = []
  try {
    for (const half of ['first', 'held'] as const) {
      const { changed, ...report } = await judgeScopeCorpus(warehouse, half, { countsPotent: true })
      const changes = changed ? ['the data changed'] : []
      found.push({
        engine,
        part: 'scope',
        half: half === 'first' ? 'tuned' : 'kept back',
        ...report,
        falseAllows: [...report.falseAllows, ...changes],
      })
    }
    const written = await judgeCorpus(warehouse, folder)
    found.push({
      engine,
      part: 'writes and files',
      half: 'all',
      attacks: written.refused,
      potent: undefined,
      reads: written.allowed,
      falseAllows: [...written.falseAllows, ...written.changes],
      falseRefusals: written.falseRefusals,
    })
    if (FUZZED.includes(engine)) {
      const { judged, ran, leaks } = await fuzzGate(warehouse, { seed: SEED, rounds: ROUNDS })
      console.log(
        `${engine}: ${judged} statements made by chance (seed ${SEED}), ${ran} allowed and understood by the engine, ${leaks.length} with a planted value`,
      )
      found.push({
        engine,
        part: 'by chance',
        half: 'all',
        attacks: judged,
        potent: undefined,
        reads: 0,
        falseAllows: leaks,
        falseRefusals: [],
      })
    }
    return found
  } finally {
    await close()
  }
}

function print(judged: readonly Line[]): void {
  console.log('engine    part               attacks  potent  false allows  reads  false refusals')
  const lines = judged.filter(({ part, falseAllows }) => part !== 'by chance' || falseAllows.length > 0)
  for (const line of lines) {
    console.log(
      cells(
        line.engine,
        line.part === 'scope' ? `scope, ${line.half === 'tuned' ? 'first' : 'held'} half` : line.part,
        line.attacks,
        line.potent,
        line.falseAllows.length,
        line.reads,
        line.falseRefusals.length,
      ),
    )
    for (const text of [...line.falseAllows, ...line.falseRefusals]) console.log(`    ${text}`)
  }
  const sum = (of: (line: Line) => number): number => lines.reduce((total, line) => total + of(line), 0)
  const [allows, refusals, reads] = [
    sum((line) => line.falseAllows.length),
    sum((line) => line.falseRefusals.length),
    sum((line) => line.reads),
  ]
  console.log(
    cells(
      'all',
      '',
      sum((line) => line.attacks),
      undefined,
      allows,
      reads,
      refusals,
    ),
  )
  console.log(`false refusals: ${((100 * refusals) / reads).toFixed(2)} % (at most ${100 * MOST_FALSE_REFUSALS} %)`)
  process.exitCode = allows > 0 || refusals / reads > MOST_FALSE_REFUSALS ? 1 : 0
}

function cells(engine: string, part: string, ...counts: readonly (number | undefined)[]): string {
  const widths = [7, 7, 13, 6, 15]
  return `${engine.padEnd(9)} ${part.padEnd(18)} ${counts.map((count, i) => String(count ?? '').padStart(widths[i]!)).join(' ')}`
}
