import type { Team } from '../../src/app/team/open-team.ts'
import type { WriteEntry } from './ledger.ts'

/** Contradictions between the database and the answers to clients. All empty if every promise was kept. */
export interface Broken {
  /** Acknowledged, but missing. */
  readonly lost: readonly string[]
  /** Present more than once. */
  readonly twice: readonly string[]
  /** Certainly refused, but present. */
  readonly unwanted: readonly string[]
  /** Numbers shared by two decisions or questions of a project, or given to two clients. */
  readonly numbers: readonly string[]
  /** Stored with a different number from the one the client received. */
  readonly moved: readonly string[]
  /** Findings of `verify` in the records. */
  readonly faults: readonly string[]
}

/** How many writes with an unknown outcome turned out to be present. */
export interface Checked {
  readonly broken: Broken
  readonly unknown: { readonly there: number; readonly notThere: number }
  readonly kept: number
}

/** Direct access to the database. */
export interface Asker {
  query<Row extends object>(text: string): Promise<Row[]>
}

interface Kept {
  readonly project: string
  readonly kind: WriteEntry['kind']
  readonly number: number
  readonly mark: string
}

export async function checkPromises(
  { asker, team }: { readonly asker: Asker; readonly team: Team },
  writes: readonly WriteEntry[],
): Promise<Checked> {
  const kept = [...(await keptDecisions(asker)), ...(await keptQuestions(asker))]
  const found = Map.groupBy(
    kept.filter(({ mark }) => mark !== ''),
    ({ mark }) => mark,
  )
  const of = (outcome: WriteEntry['outcome']) => writes.filter((write) => write.outcome === outcome)
  const isThere = ({ mark }: WriteEntry) => found.has(mark)
  const names = (list: readonly WriteEntry[]) => list.map(({ project, kind, mark }) => `${kind} ${mark} of ${project}`)
  return {
    kept: kept.length,
    unknown: {
      there: of('unknown').filter(isThere).length,
      notThere: of('unknown').filter((write) => !isThere(write)).length,
    },
    broken: {
      lost: names(of('landed').filter((write) => !isThere(write))),
      twice: [...found].flatMap(([mark, all]) => (all.length > 1 ? [`${mark}: ${all.length}`] : [])),
      unwanted: names(of('refused').filter(isThere)),
      numbers: [...repeated(kept), ...repeated(of('landed').map((write) => ({ ...write, number: write.number ?? 0 })))],
      moved: names(of('landed').filter(({ mark, number }) => isThereAs(found.get(mark), number) === false)),
      faults: await faultsOf(team, [...new Set(writes.map(({ project }) => project))]),
    },
  }
}

const isThereAs = (all: readonly Kept[] | undefined, number: number | undefined): boolean | undefined =>
  all === undefined ? undefined : all.every((one) => one.number === number)

function repeated(numbered: readonly Pick<Kept, 'project' | 'kind' | 'number'>[]): string[] {
  const groups = Map.groupBy(numbered, ({ project, kind, number }) => `${kind} ${number} of ${project}`)
  return [...groups].flatMap(([name, all]) => (all.length > 1 ? [name] : []))
}

const MARK = /\bc\d+x\d+x\b/

async function keptDecisions(asker: Asker): Promise<Kept[]> {
  const rows = await asker.query<{ project: string; path: string; text: string }>(
    `SELECT f.project, f.path, t.text FROM ken.record_files f
       JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
     WHERE f.until IS NULL AND f.path LIKE 'decisions/%'`,
  )
  return rows.map(({ project, path, text }) => ({
    project,
    kind: 'decision',
    number: Number.parseInt(path.slice('decisions/'.length), 10),
    mark: MARK.exec(text)?.[0] ?? '',
  }))
}

async function keptQuestions(asker: Asker): Promise<Kept[]> {
  const rows = await asker.query<{ project: string; text: string }>(
    `SELECT f.project, t.text FROM ken.record_files f
       JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
     WHERE f.until IS NULL AND f.path = 'open-questions.md'`,
  )
  return rows.flatMap(({ project, text }) =>
    [...text.matchAll(/^- \[Q(\d+)\] (.*)$/gm)].map(([, number, question]) => ({
      project,
      kind: 'question' as const,
      number: Number(number),
      mark: MARK.exec(question!)?.[0] ?? '',
    })),
  )
}

async function faultsOf(team: Team, projects: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  for (const id of projects) {
    const record = team.parts.openRecord({ id, name: id, mode: 'cloud', location: '', repositories: [], present: true })
    for (const fault of await record.verify()) faults.push(`${id}: ${JSON.stringify(fault)}`)
  }
  return faults
}
