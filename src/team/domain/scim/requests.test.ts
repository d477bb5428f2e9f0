import { describe, expect, test } from 'vitest'
import { readFilter, readGroup, readGroupPatch, readUser, readUserPatch } from './requests.ts'

const patch = (...operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})

describe('a filter', () => {
  test('compares one attribute with one value', () => {
    expect(readFilter('userName eq "Ada@Example.com"')).toEqual({ attribute: 'username', value: 'Ada@Example.com' })
    expect(readFilter('active EQ true')).toEqual({ attribute: 'active', value: 'true' })
    expect(readFilter('displayName eq "a \\"b\\""')).toEqual({ attribute: 'displayname', value: 'a "b"' })
    expect([readFilter(undefined), readFilter(' ')]).toEqual([undefined, undefined])
  })

  test.each(['userName sw "a"', 'userName eq "a" and active eq true', 'userName eq a', 'userName eq "\\q"', '('])(
    'is refused if it cannot be answered: %s',
    (text) => {
      expect(() => readFilter(text)).toThrow(expect.objectContaining({ details: { scimType: 'invalidFilter' } }))
    },
  )
})

describe('a user', () => {
  test('is read as Okta and Entra ID send it, without the fields that Ken does not keep', () => {
    expect(
      readUser({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: 'ada@example.com',
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ primary: true, value: 'ada@example.com', type: 'work' }],
        externalId: '00ujl29u0le5T6Aj10h7',
        phoneNumbers: [{ value: '1' }],
        groups: [],
        active: true,
      }),
    ).toEqual({ userName: 'ada@example.com', name: 'Ada Lovelace', active: true })
    expect(
      readUser({
        UserName: 'a@b.example',
        displayName: 'Ada',
        roles: [{ value: 'viewer' }, { value: 'Admin', primary: 'True' }],
      }),
    ).toEqual({ userName: 'a@b.example', name: 'Ada', role: 'admin' })
  })

  test('is changed by operations with and without a path, in any case, and with booleans as text', () => {
    expect(readUserPatch(patch({ op: 'Replace', path: 'active', value: 'False' }))).toEqual({ active: false })
    expect(readUserPatch(patch({ op: 'replace', value: { active: true, displayName: 'Ada L.' } }))).toEqual({
      active: true,
      name: 'Ada L.',
    })
    expect(
      readUserPatch(
        patch(
          { op: 'Add', path: 'roles[primary eq "True"].value', value: 'viewer' },
          { op: 'Replace', path: 'name.formatted', value: 'A. Lovelace' },
          { op: 'Remove', path: 'title' },
          { op: 'Replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:userName', value: 'a@b.example' },
        ),
      ),
    ).toEqual({ role: 'viewer', name: 'A. Lovelace', userName: 'a@b.example' })
  })

  test.each([
    [{ Operations: [] }, 'invalidSyntax'],
    [patch({ op: 'move', path: 'active' }), 'invalidSyntax'],
    [patch({ op: 'replace', path: 'active', value: 'maybe' }), 'invalidValue'],
    [patch({ op: 'replace', path: 'roles', value: 'owner' }), 'invalidValue'],
    [patch({ op: 'remove', path: 'userName' }), 'mutability'],
    [patch(...Array.from({ length: 101 }, () => ({ op: 'add', path: 'active', value: true }))), 'tooMany'],
    ['[]', 'invalidSyntax'],
  ])('is not changed by a request that cannot be met: %j', (body, scimType) => {
    expect(() => readUserPatch(body)).toThrow(expect.objectContaining({ details: { scimType } }))
  })
})

describe('a group', () => {
  test('is read with the ids of its members', () => {
    expect(readGroup({ displayName: 'Shop', members: [{ value: 'a', display: 'Ada' }] })).toEqual({
      displayName: 'Shop',
      only: ['a'],
      add: [],
      remove: [],
    })
  })

  test('gains and loses members by path, by filter and in one value', () => {
    expect(
      readGroupPatch(
        patch(
          { op: 'Add', path: 'members', value: [{ value: 'a' }, { value: 'b' }] },
          { op: 'Remove', path: 'members[value eq "c"]' },
          { op: 'remove', path: 'members', value: [{ value: 'b' }] },
        ),
      ),
    ).toEqual({ add: ['a'], remove: ['c', 'b'] })
    expect(readGroupPatch(patch({ op: 'replace', value: { id: 'x', displayName: 'Shop' } }))).toEqual({
      displayName: 'Shop',
      add: [],
      remove: [],
    })
  })

  test('has only the members of a replacement, and those added after it', () => {
    const replaced = { op: 'replace', path: 'members', value: [{ value: 'a' }] }
    expect(
      readGroupPatch(
        patch({ op: 'add', path: 'members', value: [{ value: 'z' }] }, replaced, {
          op: 'add',
          value: { members: [{ value: 'b' }] },
        }),
      ),
    ).toEqual({ only: ['a'], add: ['b'], remove: [] })
    expect(readGroupPatch(patch(replaced, { op: 'remove', path: 'members[value eq "a"]' }))).toMatchObject({ only: [] })
    expect(readGroupPatch(patch({ op: 'remove', path: 'members' }))).toEqual({ only: [], add: [], remove: [] })
  })
})
