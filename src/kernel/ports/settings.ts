import type { SettingKind } from '../domain/settings.ts'

/** Current state of one setting. */
export interface SettingValue {
  /** Dotted, as in config.yml: `search.embeddings`. */
  readonly name: string
  readonly value: unknown
  readonly source: 'default' | 'config' | 'environment'
  /** The default value. */
  readonly fallback: unknown
  readonly kind: SettingKind
  readonly help: string
  /** Environment variable; undefined for settings that only the file can set. */
  readonly environment: string | undefined
  /** Whether a page of `ken app` may change the setting freely, or only with a code from the terminal. */
  readonly fromPage: 'free' | 'confirm'
}

/**
 * The user's settings: `~/.ken/config.yml`, overridden by the environment. Comments in the file are kept on every
 * change.
 */
export interface Settings {
  list(): readonly SettingValue[]
  get(name: string): SettingValue
  /** Throws `invalid_input` for an unknown name or a bad value. */
  check(name: string, value: string | readonly string[]): void
  /** Checks the value first; throws `invalid_input` for an unknown name or a bad value without writing. */
  set(name: string, value: string | readonly string[]): void
  unset(name: string): void
  /** Unknown settings in the file, each with the name that was probably meant. */
  unknown(): readonly { readonly name: string; readonly meant: string | undefined }[]
}
