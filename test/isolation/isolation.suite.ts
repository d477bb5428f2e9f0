import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Team } from '../../src/app/team/open-team.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { seededChance } from '../crash/seeded-chance.ts'
import { attack, attackedOperations, elsewhereAndNowhere, fillRecords, madeShot } from './attack.ts'
import { forgetfulReads } from './forgetful-reads.ts'
import { hold, outcome, reachFor, type Held } from './held-by-others.ts'
import { openIsolationDesk, type IsolationDesk, type Served } from './isolation-desk.ts'
import { showMutated } from './mutated-tokens.ts'
import { changedRows, rowSums } from './row-sums.ts'
import { fire, PLACES, SURFACES, type Shot } from './shots.ts'
import { plantWorld, type PlantedCaller, type World, type WorldSize } from './tenants.ts'

export interface IsolationSuite {
  readonly size: WorldSize
  /** Number of callers that attack one after the other, and of calls by each. */
  readonly runs: number
  readonly calls: number
  /** Whether every way to name a project is tried with every operation. */
  readonly isThorough: boolean
  readonly mutatedTokens: number
}

// Upper limit of runs; a search ends with the first hole found.
const UNTIL_FOUND = 100

/** Asserts that one tenant learns nothing about another and changes nothing there. */
export function describeIsolation(name: string, open: () => Promise<SqlDatabase>, suite: IsolationSuite): void {
  describe(`tenants on ${name}`, () => {
    let desk: IsolationDesk
    let world: World
    beforeAll(async () => {
      desk = await openIsolationDesk(await open())
      world = await plantWorld(desk.team, seededChance(1), suite.size)
      await fillRecords(desk, world)
    })
    afterAll(() => desk.close())

    const operations = () => attackedOperations(desk)
    /**
     * Calls of random callers, using every operation in turn; returns the first call that got or changed anything that
     * belongs to others.
     */
    const findHole = async (at: Served, runs: number, callers = world.callers): Promise<readonly string[]> => {
      const found: string[] = []
      await fc
        .assert(
          fc.asyncProperty(
            fc.noBias(fc.constantFrom(...callers)),
            fc.noBias(fc.array(fc.nat(), { minLength: suite.calls, maxLength: suite.calls })),
            async (caller, seeds) => {
              const shots = seeds.map((seed, nth) =>
                madeShot(world, caller, operations()[nth % operations().length]!, seededChance(seed)),
              )
              found.push(...(await attack(desk, { world, caller, shots, at })))
              expect(found).toEqual([])
            },
          ),
          // Calls change the record, so a shorter sequence is a different case: no shrinking.
          { numRuns: runs, endOnFailure: true },
        )
        .catch((thrown: unknown) => {
          if (found.length === 0) throw thrown
          found.push(String(thrown).split('\n').slice(0, 2).join(' '))
        })
      return found
    }

    test('every project contains its marks, and all callers with access see them', async () => {
      for (const project of world.projects) {
        const { key } = world.organisations.find(({ id }) => id === project.organisation)!
        for (const surface of ['rest', 'mcp'] as const) {
          const { status, text } = await fire(desk.url, key, shotAt('list_decisions', surface, project.id))
          expect([status, text]).toEqual([200, expect.stringContaining(project.mark)])
        }
      }
    })

    test('read no data of each other and change none, whatever they call with any ids', async () => {
      expect(await findHole(desk, suite.runs)).toEqual([])
    })

    test('does not distinguish between data that exists elsewhere and data that exists nowhere', async () => {
      // A second call would fail because the caller's first call created the name.
      const asked = operations().filter(({ name }) => name !== 'create_project')
      for (const [nth, operation] of asked.entries())
        for (const surface of SURFACES)
          for (const place of suite.isThorough ? PLACES : [PLACES[nth % PLACES.length]!]) {
            const { caller, stranger } = pairFor(world, operation.name.length + surface.length)
            const input = madeShot(world, caller, operation, seededChance(place.length)).input
            const shot = { operation, surface, place, project: stranger, input: { ...input, project_id: stranger } }
            const [elsewhere, nowhere] = await elsewhereAndNowhere(desk.url, caller, shot)
            expect({ operation: operation.name, surface, place, elsewhere }).toEqual({
              operation: operation.name,
              surface,
              place,
              elsewhere: nowhere,
            })
          }
    })

    test('cannot authenticate with a variation of their own or another tenant’s token', async () => {
      const good = world.callers.map(({ secret }) => secret)
      const { answers } = await showMutated(desk.url, good, { count: suite.mutatedTokens, chance: seededChance(3) })
      expect(answers).toEqual([expect.stringMatching(/^401 /)])
    })

    test('reach none of each other’s sessions, invitations, passkeys, tokens or grants', async () => {
      const [caller, other] = ['one', 'another'].map((_, at) =>
        world.callers.find(({ organisation }) => organisation === world.organisations[at]!.id)!,
      )
      const [mine, theirs] = [
        await hold(desk.database, desk.team, caller!, world),
        await hold(desk.database, desk.team, other!, world),
      ]
      const nobodys = Object.fromEntries(Object.keys(mine).map((what) => [what, systemClock.ulid()])) as unknown as Held
      const { mark } = world.organisations[1]!
      const before = await rowSums(desk.database)
      for (const reach of reachFor(desk.database, desk.team, mine)) {
        const [elsewhere, nowhere] = [await outcome(reach(theirs)), await outcome(reach(nobodys))]
        expect({ reach: String(reach), elsewhere }).toEqual({ reach: String(reach), elsewhere: nowhere })
        expect(elsewhere).not.toContain(mark)
        expect(elsewhere).not.toMatch(/^fault/)
      }
      expect(changedRows(before, await rowSums(desk.database), () => false)).toEqual([])
    })

    test('are isolated by the database even if a query omits the owner filter', async () => {
      expect(await forgetfulReads(desk.database, world)).toEqual([])
    })

    describe('would be found out', () => {
      test('if projects of others were listed and opened', async () => {
        expect(await findHole(await desk.beside(seesAll(desk.database)), UNTIL_FOUND, readers(world))).not.toEqual([])
      })

      test('if one record was opened for another', async () => {
        const [first] = world.projects
        const hole = (team: Team): Team => ({
          ...team,
          parts: { ...team.parts, openRecord: (project) => team.parts.openRecord({ ...project, id: first!.id }) },
        })
        expect(await findHole(await desk.beside(hole), UNTIL_FOUND, readers(world))).not.toEqual([])
      })

      test('if a refusal reveals that something exists', async () => {
        // Others' projects in the same organisation, to which this person has no access.
        const list: Team['projects']['list'] = async (person) => {
          const [all, who] = [await desk.team.projects.list(person), await desk.team.people.find(person)]
          const others = world.projects.filter(({ id }) => all.every((one) => one.id !== id))
          const seen = others.map((one) => ({
            ...asSeen(one),
            organisation: who!.organisation,
            role: 'viewer' as const,
          }))
          return [...all, ...seen]
        }
        const hole = (team: Team): Team => ({
          ...team,
          callerOf: callerWith(team, list),
          projects: { ...team.projects, list },
          parts: { ...team.parts, projects: { ...team.parts.projects, list } },
        })
        const { url } = await desk.beside(hole)
        const { caller, stranger } = pairFor(world, 1)
        const [elsewhere, nowhere] = await elsewhereAndNowhere(
          url,
          caller,
          shotAt('questions_migrate', 'rest', stranger),
        )
        expect(elsewhere).not.toBe(nowhere)
      })

      test('if a table lost its policy', async () => {
        const alter = (how: string) =>
          desk.database.transaction('server', (sql) =>
            sql.query(`ALTER TABLE ken.record_events ${how} ROW LEVEL SECURITY`),
          )
        await alter('DISABLE')
        expect(await forgetfulReads(desk.database, world)).not.toEqual([])
        await alter('ENABLE')
      })
    })

    const shotAt = (operation: string, surface: Shot['surface'], project: string): Shot => ({
      operation: operations().find((one) => one.name === operation)!,
      surface,
      project,
      place: 'body',
      input: {},
    })
  })
}

/** Callers that only tenant boundaries prevent from reading. */
const readers = ({ callers }: World): readonly PlantedCaller[] =>
  callers.filter(({ projects, scopes }) => projects === undefined && scopes.includes('read'))

/** A caller, and a project that is not theirs. */
function pairFor(world: World, seed: number): { readonly caller: PlantedCaller; readonly stranger: string } {
  const able = readers(world)
  const caller = able[seed % able.length]!
  return { caller, stranger: world.projects.find(({ id }) => !caller.sees.has(id))!.id }
}

const asSeen = (project: World['projects'][number]) => ({ ...project, role: 'admin' as const, createdAt: '' })

/** A server on which everyone is an admin everywhere. */
const seesAll =
  (database: SqlDatabase) =>
  (team: Team): Team => {
    const projects: Team['projects'] = {
      ...team.projects,
      list: () =>
        database.transaction('server', (sql) =>
          sql.query(
            `SELECT id, organisation, name, access, created_at AS "createdAt", 'admin' AS role FROM ken.projects`,
          ),
        ),
      async standing(person, project) {
        const found = await team.people.find(person)
        return { project, organisation: found!.organisation, role: 'admin' }
      },
    }
    return { ...team, callerOf: callerWith(team, projects.list), projects, parts: { ...team.parts, projects } }
  }

/** Authentication that reads these projects. */
const callerWith =
  (team: Team, list: Team['projects']['list']): Team['callerOf'] =>
  async (token) => {
    const caller = await team.callerOf(token)
    return caller && { ...caller, seen: { projects: await list(caller.person), at: performance.now() } }
  }
