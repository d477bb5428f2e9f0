import { describe, expect, test } from 'vitest'
import { contextDefinitions } from '../app/providers.ts'
import { readConfig } from './domain/context-project/read-config.ts'
import { openTrustGate } from './trust-gate.ts'

const YAML = `
name: x
databases:
  - { name: own, type: sqlite, path: data/shop.db }
  - { name: gone, type: sqlite, path: data/gone.db }
  - { name: far, type: postgres, url: 'postgres://db.example.org/shop' }
  - { name: odd, type: constructor, path: data/shop.db }
`

describe('trust gate', async () => {
  const gate = openTrustGate({
    root: '/project',
    config: readConfig(YAML, await contextDefinitions()),
    around: {
      outside: () => undefined,
      missing: (path) => (path === 'data/gone.db' ? { part: path, near: undefined } : undefined),
      fromEnvFile: () => undefined,
      fileMark: () => undefined,
    },
    rules: await contextDefinitions(),
    trust: { find: () => undefined, list: () => [], grant: () => undefined, revoke: () => false } as never,
  })

  test('an entry that stays inside the project needs no trust', () => {
    expect(() => gate.admit('database/own')).not.toThrow()
  })

  test('a database of unknown type reaches outside, and is reported before trust is requested', () => {
    expect(gate.reach().map(({ key }) => key)).toEqual(['database/far', 'database/odd'])
    expect(() => gate.admit('database/odd')).toThrow(/no type named "constructor"/)
  })

  test('reports a missing file, but requires only trust for a server, which is not a file', () => {
    expect(() => gate.admit('database/gone')).toThrow(expect.objectContaining({ code: 'not_found' }))
    expect(gate.fault('database/far')).toBeUndefined()
    expect(() => gate.admit('database/far')).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })

  test.each(['database/other', 'secrets/x', '', 'toString'])('rejects %j, which ken.yaml does not contain', (key) => {
    expect(() => gate.admit(key)).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })
})
