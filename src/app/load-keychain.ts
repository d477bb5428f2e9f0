import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Keychain } from '../kernel/ports/keychain.ts'

/** Opens the keychain; its package is loaded on the first access to a secret. */
export function loadKeychain(home: string): Keychain {
  // Another home has separate secrets.
  const service = home === join(homedir(), '.ken') ? 'ken' : `ken ${home}`
  const load = async (): Promise<Keychain> => (await import('../kernel/keychain/system.ts')).openSystemKeychain(service)
  return {
    get: async (name) => (await load()).get(name),
    set: async (name, secret) => (await load()).set(name, secret),
    remove: async (name) => (await load()).remove(name),
  }
}
