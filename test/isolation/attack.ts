import { systemClock } from '../../src/kernel/system/clock.ts'
import type { Operation } from '../../src/operations/operation.ts'
import type { IsolationDesk, Served } from './isolation-desk.ts'
import { madeInput } from './made-input.ts'
import { changedRows, rowSums } from './row-sums.ts'
import { fire, PLACES, SURFACES, type Answer, type Shot } from './shots.ts'
import type { PlantedCaller, PlantedProject, World } from './tenants.ts'

type Choose = <T>(from: readonly T[]) => T

const WORDS = ['Cache hot reads in Redis', 'Where do invoices live?', 'Queues for deploys', 'Ledger of the shop']

/** Operations that name people: a person's name appears in every project they write to, whatever it contains. */
const NAMING: ReadonlySet<string> = new Set(['name_change', 'people_add', 'people_change'])

/** Operations whose texts stay in one project. */
export const attackedOperations = ({ team }: IsolationDesk): readonly Operation[] =>
  team.operations.filter(({ name }) => !NAMING.has(name))

/** Writes to every project as an admin, with every write operation; each text contains its project's marks. */
export async function fillRecords(desk: IsolationDesk, world: World): Promise<void> {
  const writing = attackedOperations(desk).filter(({ effect, destructive }) => effect === 'write' && !destructive)
  for (const project of world.projects) {
    const { key } = world.organisations.find(({ id }) => id === project.organisation)!
    for (const operation of writing)
      for (const { input } of operation.examples)
        await fire(desk.url, key, {
          operation,
          surface: 'rest',
          place: 'body',
          project: project.id,
          input: marked(input, project) as Shot['input'],
        })
  }
}

/** Marks free text; identifiers and enum values are kept. */
function marked(value: unknown, project: PlantedProject): unknown {
  if (typeof value === 'string') return value.includes(' ') ? `${project.topic} ${project.mark} ${value}` : value
  if (Array.isArray(value)) return value.map((item) => marked(item, project))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, marked(held, project)]))
}

/** The marks that a caller must not see. */
const foreignMarks = ({ projects, organisations }: World, caller: PlantedCaller): readonly string[] => [
  ...projects.filter(({ id }) => !caller.sees.has(id)).map(({ mark }) => mark),
  ...organisations.filter(({ id }) => id !== caller.organisation).map(({ mark }) => mark),
]

/** A call with ids, names and words of other tenants wherever one fits. */
export function madeShot(world: World, caller: PlantedCaller, operation: Operation, chance: () => number): Shot {
  const pick: Choose = (from) => from[Math.floor(chance() * from.length)]!
  const strangers = world.projects.filter(({ id }) => !caller.sees.has(id))
  const stranger = strangers.length === 0 ? pick(world.projects) : pick(strangers)
  const text = (path: string): string =>
    /(?:_id|\.id|project|person|organisation|chat|story|workspace)s?$/i.test(path)
      ? pick(idsOf(world, stranger))
      : pick([...idsOf(world, stranger), ...textsOf(stranger), ...textsOf(stranger)])
  return {
    operation,
    surface: pick(SURFACES),
    place: pick(PLACES),
    project: pick([
      stranger.id,
      stranger.id,
      stranger.id,
      stranger.name,
      stranger.id.toLowerCase(),
      ` ${stranger.id}`,
      'shop',
      ...caller.sees,
    ]),
    input: madeInput(operation, { chance, text, fullness: 0.5 }),
  }
}

const idsOf = (world: World, { id, organisation }: PlantedProject): readonly string[] => [
  id,
  organisation,
  world.callers.find((one) => one.organisation === organisation)!.person,
  'D1',
  '1',
  'Q1',
]

const textsOf = ({ id, topic }: PlantedProject): readonly string[] => [
  topic,
  `${topic} cache reads`,
  ...WORDS,
  'project.md',
  'state_current.md',
  'open-questions.md',
  `decisions/001-${topic}.md`,
  `../${id}/project.md`,
  `${id}:project.md`,
  `' OR project = '${id}`,
]

/**
 * Runs the calls of one caller, some concurrently; returns all foreign data they got or changed. Empty if isolation
 * holds.
 */
export async function attack(
  desk: IsolationDesk,
  { world, caller, shots, at = desk }: { world: World; caller: PlantedCaller; shots: readonly Shot[]; at?: Served },
): Promise<readonly string[]> {
  const before = await rowSums(desk.database)
  const toldBefore = at.told.length
  const found: string[] = []
  const foreign = foreignMarks(world, caller)
  for (let first = 0; first < shots.length; first += AT_ONCE)
    await Promise.all(
      shots.slice(first, first + AT_ONCE).map(async (shot) => {
        const answer = await fire(at.url, caller.secret, shot)
        for (const mark of foreign)
          if (answer.text.includes(mark)) found.push(`${nameOf(shot)}: ${mark} in ${answer.text}`)
        if (answer.status === 500) found.push(`${nameOf(shot)}: ${answer.status} ${answer.body}`)
      }),
    )
  const told = [...at.told.slice(toldBefore), at.server.metrics()].join('\n')
  for (const mark of marksIn(world, told)) found.push(`log or metrics: ${mark}`)
  const colleagues = new Set(
    world.callers.filter(({ organisation }) => organisation === caller.organisation).map(({ person }) => person),
  )
  const made = await madeAmong(desk, world, caller)
  // The server's jobs continue in the meantime and may change its rows.
  const isOwn = (owner: string): boolean =>
    owner === 'server' ||
    caller.writes.has(owner) ||
    made.has(owner) ||
    owner === caller.organisation ||
    colleagues.has(owner)
  for (const rows of changedRows(before, await rowSums(desk.database), isOwn)) found.push(`rows changed: ${rows}`)
  return found
}

const AT_ONCE = 4

/** Projects that colleagues have since created for the whole organisation, if this caller may write to them. */
async function madeAmong(desk: IsolationDesk, world: World, caller: PlantedCaller): Promise<ReadonlySet<string>> {
  const writes = caller.role !== 'viewer' && caller.scopes.some((scope) => scope !== 'read')
  if (!writes || caller.projects !== undefined) return new Set()
  const rows = await desk.database.transaction('server', (sql) =>
    sql.query<{ id: string }>('SELECT id FROM ken.projects WHERE organisation = $1', [caller.organisation]),
  )
  const planted = new Set(world.projects.map(({ id }) => id))
  return new Set(rows.map(({ id }) => id).filter((id) => !planted.has(id)))
}

const marksIn = ({ projects, organisations }: World, text: string): readonly string[] =>
  [...projects.flatMap(({ mark, topic }) => [mark, topic]), ...organisations.map(({ mark }) => mark)].filter((mark) =>
    text.includes(mark),
  )

const nameOf = ({ operation, surface, place, project, input }: Shot): string =>
  `${surface} ${operation.name} (${place} ${project}) ${JSON.stringify(input)}`

/**
 * The answers to one call about another tenant's project, and about a missing one, with ids removed: they must be
 * equal.
 */
export async function elsewhereAndNowhere(
  url: string,
  caller: PlantedCaller,
  shot: Shot,
): Promise<readonly [string, string]> {
  const nowhere = systemClock.ulid()
  const { project } = shot
  const answers = [
    await fire(url, caller.secret, shot),
    await fire(url, caller.secret, { ...shot, project: nowhere, input: renamed(shot.input, project, nowhere) }),
  ]
  return answers.map((answer) => normalised(answer).replaceAll(project, 'ID').replaceAll(nowhere, 'ID')) as never
}

const renamed = (input: Shot['input'], from: string, to: string): Shot['input'] =>
  JSON.parse(JSON.stringify(input).replaceAll(from, to)) as Shot['input']

const normalised = ({ status, text }: Answer): string =>
  `${status} ${text}`
    .replaceAll(/\["(?:date|x-request-id|content-length|mcp-session-id)","[^"]*"\],?/g, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
