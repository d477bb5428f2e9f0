import { describe, expect, test } from 'vitest'
import { contextDefinitions } from '../app/providers.ts'
import { readConfig } from '../core/context-project/read-config.ts'
import { openTrustGate } from './trust-gate.ts'

const YAML = `
name: x
databases:
  - { name: own, type: sqlite, path: data/shop.db }
  - { name: odd, type: constructor, path: data/shop.db }
`

describe('what may be opened', async () => {
  const gate = openTrustGate({
    root: '/project',
    config: readConfig(YAML, await contextDefinitions()),
    around: { outside: () => undefined, fromEnvFile: () => undefined },
    trust: { find: () => undefined, list: () => [], grant: () => undefined, revoke: () => false } as never,
  })

  test('an entry that stays inside needs nothing', () => {
    expect(() => gate.admit('database/own')).not.toThrow()
  })

  test('a database of a kind that is not known is taken for one that reaches further', () => {
    expect(() => gate.admit('database/odd')).toThrow(/not trusted yet; it would use a constructor database/)
  })

  test.each(['database/other', 'secrets/x', '', 'toString'])('%j, which ken.yaml does not have, is refused', (key) => {
    expect(() => gate.admit(key)).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })
})
