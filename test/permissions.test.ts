import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { HOSTED, OPERATIONS } from '../src/operations/all.ts'
import { declaredBy } from '../src/operations/declared-by.ts'
import { assertMay, may, type Caller, type Standing } from '../src/team/domain/may.ts'
import { PERMISSION_LINES } from '../src/team/domain/permission-lines.ts'
import { permissionOf, THROUGH, type Declared, type Permission } from '../src/team/domain/permission.ts'
import { isAtLeast, ROLES, roleInProject, SCOPES, type Role } from '../src/team/domain/role.ts'

const [HERE, ELSEWHERE] = ['organisation-1', 'organisation-2']
const table = new Map(
  [...OPERATIONS, ...HOSTED].map((operation) => [operation.name, permissionOf(declaredBy(operation))]),
)

const caller = (role: Role, more: Partial<Caller> = {}): Caller => ({
  person: 'person-1',
  organisation: HERE,
  role,
  through: 'browser',
  scopes: SCOPES,
  projects: undefined,
  ...more,
})
const standing = (role: Role | undefined, organisation = HERE): Standing => ({ project: 'p1', organisation, role })
const ask = (permission: Permission | undefined, who: Caller, where: Standing | undefined, input = {}) =>
  may(who, { permission, standing: where, input })

test('the table covers every operation, and no row is for a removed one', () => {
  expect([...table].filter(([, permission]) => permission === undefined).map(([name]) => name)).toEqual([])
  expect(Object.keys(PERMISSION_LINES).filter((name) => !table.has(name))).toEqual([])
})

test('an operation missing from the table is refused to everybody', () => {
  const unknown: Declared = {
    name: 'new_command',
    toolset: 'cli',
    effect: 'read',
    destructive: false,
    anywhere: true,
    isServed: true,
    hiddenFrom: {},
    fields: [],
  }
  expect(permissionOf(unknown)).toBeUndefined()
  expect(permissionOf({ ...unknown, toolset: 'new_toolset' })).toBeUndefined()
  expect(permissionOf({ ...unknown, name: 'constructor' })).toBeUndefined()
  for (const role of ROLES) expect(ask(undefined, caller(role), standing(role)).may).toBe(false)
})

/** Operations for which a role gets the wrong permission. */
const wrongFor = (isRight: (permission: Permission, role: Role) => boolean): string[] =>
  [...table].flatMap(([name, permission]) =>
    ROLES.filter((role) => !isRight(permission!, role)).map((role) => `${name} as ${role}`),
  )

test('a person may do exactly what the table allows in their own project', () => {
  expect(
    wrongFor((permission, role) => {
      const allowed = permission.least !== 'nobody' && isAtLeast(role, permission.least)
      return ask(permission, caller(role), standing(role)).may === allowed
    }),
  ).toEqual([])
})

test('a person from another organisation learns nothing about a project', () => {
  expect(
    wrongFor((permission, role) => {
      const theirs = ask(permission, caller(role), standing(role, ELSEWHERE))
      const others = [
        ...(permission.of === 'project' ? [ask(permission, caller(role), undefined)] : []),
        ask(permission, caller(role), standing(undefined)),
        ask(permission, caller(role, { projects: ['p2'] }), standing(role)),
      ]
      return !theirs.may && others.every((other) => isDeepStrictEqual(other, theirs))
    }),
  ).toEqual([])
})

test('acting through a client never grants more than the person is allowed to do', () => {
  expect(
    wrongFor((permission, role) => {
      const byThemselves = ask(permission, caller(role), standing(role)).may
      return THROUGH.every((through) =>
        [[], ...SCOPES.map((scope) => [scope])].every((scopes) => {
          const isWithin = THROUGH.indexOf(through) <= THROUGH.indexOf(permission.by)
          const allowed = byThemselves && isWithin && scopes.some((scope) => scope === permission.scope)
          return ask(permission, caller(role, { through, scopes }), standing(role)).may === allowed
        }),
      )
    }),
  ).toEqual([])
})

test('inputs that refer to the server machine are refused, and all others are accepted', () => {
  const graph = table.get('graph')
  const told = (input: object) => ask(graph, caller('admin'), standing('admin'), input).may
  expect([told({}), told({ output: '-' }), told({ open: false })]).toEqual([true, true, true])
  expect([told({ output: '/etc/passwd' }), told({ output: '' }), told({ open: true })]).toEqual([false, false, false])
  const pictures = (images: unknown) => ask(table.get('ask'), caller('member'), standing('member'), { images }).may
  expect(pictures(['data:image/png;base64,AA'])).toBe(true)
  expect(pictures(['data:image/png;base64,AA', '/etc/passwd'])).toBe(false)
  expect(ask(table.get('read_file'), caller('viewer'), standing('viewer'), { path: 'RULES.md' }).may).toBe(true)
})

test('operations that need a terminal, the machine or its browser are never offered', () => {
  const nobody = [...table].filter(([, permission]) => permission!.least === 'nobody').map(([name]) => name)
  expect(nobody).toEqual(
    expect.arrayContaining(['init', 'adopt', 'attach', 'setup', 'watch', 'import_adr', 'token_show', 'harvest']),
  )
})

test('admins may rewrite history and change sources; no role may change settings, trust or keys of the machine', () => {
  const least = (name: string) => table.get(name)?.least
  for (const name of ['restore', 'questions_migrate', 'context_git_set', 'retention_set'])
    expect([name, least(name)]).toEqual([name, 'admin'])
  for (const name of ['forget', 'config_set', 'key_set', 'trust', 'source_add', 'context_save'])
    expect([name, least(name)]).toEqual([name, 'nobody'])
})

test('a token for some projects cannot do organisation-wide admin tasks', () => {
  const limited = caller('admin', { through: 'token', projects: ['p1'] })
  expect(ask(table.get('people_invite'), limited, undefined)).toMatchObject({ may: false, code: 'forbidden' })
  expect(ask(table.get('project_grant'), limited, standing('admin'))).toEqual({ may: true })
})

test('a project role overrides the organisation role, except for organisation admins', () => {
  expect(roleInProject('viewer', 'organisation', 'admin')).toBe('admin')
  expect(roleInProject('member', 'organisation', 'viewer')).toBe('viewer')
  expect(roleInProject('member', 'organisation', undefined)).toBe('member')
  expect(roleInProject('member', 'members', undefined)).toBeUndefined()
  expect(roleInProject('member', 'members', 'viewer')).toBe('viewer')
  expect(roleInProject('admin', 'members', undefined)).toBe('admin')
})

test('a refusal has its error code, the same for a missing project and for another organisation’s', () => {
  const call = (where: Standing | undefined) => () =>
    assertMay(caller('admin'), { permission: table.get('get_context'), standing: where, input: {} })
  expect(call(standing('viewer'))).not.toThrow()
  const refusals = [undefined, standing('admin', ELSEWHERE), standing(undefined)].map((where) => {
    try {
      call(where)()
    } catch (error) {
      return error
    }
    return undefined
  })
  expect(refusals[0]).toMatchObject({ code: 'not_found', message: 'Project not found.' })
  expect(refusals.map((one) => JSON.stringify(one))).toEqual(refusals.map(() => JSON.stringify(refusals[0])))
})
