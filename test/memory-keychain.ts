import type { Keychain } from '../src/kernel/ports/keychain.ts'

/** Keychain for tests; lost on process exit. */
export function openMemoryKeychain(kept = new Map<string, string>()): Keychain {
  return {
    get: async (name) => kept.get(name),
    set: async (name, secret) => void kept.set(name, secret),
    remove: async (name) => kept.delete(name),
  }
}
