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
  /** Supersessions that were acknowledged, although another decision or none was superseded. */
  readonly wrongTarget: readonly string[]
  /** Acknowledged as removed, but stored somewhere in the record or its past. */
  readonly notErased: readonly string[]
  /** `verify` findings in the records. */
  readonly faults: readonly string[]
}

/** How many writes with an unknown outcome turned out to have been applied. */
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
  const decisions = await keptDecisions(asker)
  const kept = [...decisions, ...(await keptQuestions(asker)), ...(await keptResolutions(asker))]
  const found = Map.groupBy(
    kept.filter(({ mark }) => mark !== ''),
    ({ mark }) => mark,
  )
  // A word that a client asked to remove is gone or present, as the erasure itself reports.
  const asked = new Set(writes.flatMap(({ kind, mark }) => (kind === 'erasure' ? [mark] : [])))
  const others = writes.filter(({ mark }) => !asked.has(mark))
  const of = (outcome: WriteEntry['outcome']) => others.filter((write) => write.outcome === outcome)
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
      numbers: [
        ...repeated(kept.filter(({ kind }) => kind !== 'resolution')),
        ...repeated(
          of('landed').flatMap((write) => (isNumbered(write) ? { ...write, number: write.number ?? 0 } : [])),
        ),
      ],
      moved: names(
        of('landed').filter((write) => isNumbered(write) && isThereAs(found.get(write.mark), write.number) === false),
      ),
      wrongTarget: names(of('landed').filter((write) => !hitsTarget(write, decisions, asked))),
      notErased: await notErased(asker, writes),
      faults: await faultsOf(team, [...new Set(writes.map(({ project }) => project))]),
    },
  }
}

const isNumbered = ({ kind }: WriteEntry): boolean => kind === 'decision' || kind === 'question'

/** Whether a decision superseded the one that its writer meant, and no other has that number. */
function hitsTarget(
  { project, mark, target }: WriteEntry,
  decisions: readonly KeptDecision[],
  erased: ReadonlySet<string>,
): boolean {
  if (target === undefined) return true
  const here = decisions.filter((one) => one.project === project)
  const [made, meant] = [here.find((one) => one.mark === mark), here.find(({ number }) => number === target.number)]
  return made?.supersedes === target.number && (erased.has(target.mark) || meant?.mark === target.mark)
}

/** Removed words that remain in a text, a file name, the journal or a snapshot. */
async function notErased(asker: Asker, writes: readonly WriteEntry[]): Promise<string[]> {
  const words = writes.filter(({ kind, outcome }) => kind === 'erasure' && outcome === 'landed').map(({ mark }) => mark)
  const found: string[] = []
  for (const [table, column] of STORED) {
    const rows = await asker.query<{ text: string }>(`SELECT ${column} AS text FROM ken.${table}`)
    const there = new Set(rows.flatMap(({ text }) => text.match(MARKS) ?? []))
    found.push(...words.filter((word) => there.has(word)).map((word) => `${word} in ${table}.${column}`))
  }
  return found
}

const STORED = [
  ['record_texts', 'text'],
  ['record_files', 'path'],
  ['record_events', 'line'],
  ['record_snapshots', 'detail'],
] as const

const isThereAs = (all: readonly Kept[] | undefined, number: number | undefined): boolean | undefined =>
  all === undefined ? undefined : all.every((one) => one.number === number)

function repeated(numbered: readonly Pick<Kept, 'project' | 'kind' | 'number'>[]): string[] {
  const groups = Map.groupBy(numbered, ({ project, kind, number }) => `${kind} ${number} of ${project}`)
  return [...groups].flatMap(([name, all]) => (all.length > 1 ? [name] : []))
}

const MARK = /\bc\d+x\d+x\b/
const MARKS = new RegExp(MARK, 'g')

interface KeptDecision extends Kept {
  readonly supersedes: number
}

async function keptDecisions(asker: Asker): Promise<KeptDecision[]> {
  const rows = await asker.query<{ project: string; path: string; text: string }>(
    `SELECT f.project, f.path, t.text FROM ken.record_files f
       JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
     WHERE f.until IS NULL AND f.path LIKE 'decisions/%'`,
  )
  return rows.map(({ project, path, text }) => ({
    project,
    kind: 'decision',
    number: Number.parseInt(path.slice('decisions/'.length), 10),
    // The links above the title name other decisions.
    mark: MARK.exec(/^# .*$/m.exec(text)?.[0] ?? '')?.[0] ?? '',
    supersedes: Number(/^supersedes:[\s'"[-]*0*(\d+)/m.exec(text)?.[1] ?? 0),
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

async function keptResolutions(asker: Asker): Promise<Kept[]> {
  const rows = await asker.query<{ project: string; text: string }>(
    `SELECT f.project, t.text FROM ken.record_files f
       JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
     WHERE f.until IS NULL AND f.path LIKE 'context/plan-_.md'`,
  )
  return rows.map(({ project, text }) => ({ project, kind: 'resolution', number: 0, mark: MARK.exec(text)?.[0] ?? '' }))
}

async function faultsOf(team: Team, projects: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  for (const id of projects) {
    const record = team.parts.openRecord({ id, name: id, mode: 'cloud', location: '', repositories: [], present: true })
    for (const fault of await record.verify()) faults.push(`${id}: ${JSON.stringify(fault)}`)
  }
  return faults
}
