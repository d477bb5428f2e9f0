import { expect, test } from 'vitest'
import { protectedReason } from './protected-path.ts'

test.each([
  ['ken.yaml', 'it is the configuration'],
  ['KEN.yml', 'it is the configuration'],
  ['tests/orders.yaml', 'tests hold the expected answers'],
  ['Tests', 'tests hold the expected answers'],
  ['.git/config', 'it belongs to git or to Ken'],
  ['docs/.ken/x', 'it belongs to git or to Ken'],
  ['.env', 'environment files hold secrets'],
  ['app/.env.local', 'environment files hold secrets'],
  ['.envrc', 'environment files hold secrets'],
  ['home/.ssh/config', 'the folder holds secrets'],
  ['id_ed25519', 'files of this name hold secrets'],
  ['etc/server.PEM', 'files of this name hold secrets'],
  ['credentials.json', 'files of this name hold secrets'],
])('%s is never shown: %s', (path, reason) => {
  expect(protectedReason(path)).toBe(reason)
})

test.each(['docs/ken.yaml', 'docs/tests/a.md', 'env.md', '.github/x.yml', 'id_rsa.pub.md', 'keys.md', 'README.md'])(
  '%s may be shown',
  (path) => {
    expect(protectedReason(path)).toBeUndefined()
  },
)
