import { AppError } from '../domain/errors.ts'
import type { Keychain } from '../ports/keychain.ts'
import { loadOptional } from '../system/optional-package.ts'

/** Milliseconds. A locked keychain prompts the user for a password in a separate window, which may go unseen. */
const PATIENCE = 30_000

/** Keychain on macOS, Credential Manager on Windows, the Secret Service (GNOME Keyring, KWallet) on Linux. */
export function openSystemKeychain(service: string): Keychain {
  const entry = async (name: string) => {
    const { AsyncEntry } = await loadOptional<typeof import('@napi-rs/keyring')>('@napi-rs/keyring')
    // Without this option, Linux may keep the secret in memory that every program of the user can read and that is
    // cleared on restart.
    return inKeychain(async () => new AsyncEntry(service, name, { linux: { store: 'secret-service' } }))
  }
  return {
    async get(name) {
      const opened = await entry(name)
      return (await inKeychain((signal) => opened.getPassword(signal))) ?? undefined
    },
    async set(name, secret) {
      const opened = await entry(name)
      await inKeychain((signal) => opened.setPassword(secret, signal))
    },
    async remove(name) {
      const opened = await entry(name)
      return inKeychain((signal) => opened.deletePassword(signal))
    },
  }
}

async function inKeychain<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await work(AbortSignal.timeout(PATIENCE))
  } catch (error) {
    throw new AppError('unavailable', 'No keychain available on this machine.', { cause: error })
  }
}
