import type { ModelProvider } from '../../kernel/domain/model-name.ts'

/** Location of a provider's key; never its value. */
export interface KnownKey {
  readonly provider: ModelProvider
  readonly source: 'environment' | 'keychain'
  /** Name of the environment variable with the key. */
  readonly variable?: string
}

/** The keys for model providers: from the environment, or from the system keychain. */
export interface ModelKeys {
  /** Lists the known keys. `problem`: why the keychain could not be read. */
  list(): Promise<{ readonly keys: readonly KnownKey[]; readonly problem?: string }>
  /**
   * Stores a key in the keychain. Throws `unavailable` if there is no keychain, and names the variable to use instead.
   */
  set(provider: ModelProvider, key: string): Promise<void>
  /** Removes a key; false if the keychain had none. */
  remove(provider: ModelProvider): Promise<boolean>
}
