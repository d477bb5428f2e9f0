import type { ModelProvider } from '../../kernel/domain/model-name.ts'

/** Where the key of a provider is; its value is nobody's business but the provider's. */
export interface KnownKey {
  readonly provider: ModelProvider
  readonly source: 'environment' | 'keychain'
  /** What holds it in the environment. */
  readonly variable?: string
}

/** The keys of model providers: in the environment, or in the keychain of the system. */
export interface ModelKeys {
  /** `problem` says why the keychain could not be looked into. */
  list(): Promise<{ readonly keys: readonly KnownKey[]; readonly problem?: string }>
  /** Puts it into the keychain. Throws `unavailable` where there is none, and names the variable to use instead. */
  set(provider: ModelProvider, key: string): Promise<void>
  /** False where the keychain had none. */
  remove(provider: ModelProvider): Promise<boolean>
}
