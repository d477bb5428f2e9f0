import type { SettingKind } from '../domain/settings.ts'

/** One setting as it stands now. */
export interface SettingValue {
  /** Dotted, as in config.yml: `search.embeddings`. */
  readonly name: string
  readonly value: unknown
  readonly source: 'default' | 'config' | 'environment'
  /** What holds where nobody says otherwise. */
  readonly fallback: unknown
  readonly kind: SettingKind
  readonly help: string
  /** Undefined for settings that only the file can give. */
  readonly environment: string | undefined
  /** Whether a page of `ken app` changes it alone, or with a code from a terminal. */
  readonly fromPage: 'free' | 'confirm'
}

/**
 * The user's settings: `~/.ken/config.yml`, overruled by the environment. Comments in the file survive every change.
 */
export interface Settings {
  list(): readonly SettingValue[]
  get(name: string): SettingValue
  /** Throws `invalid_input` for an unknown name or a bad value. */
  check(name: string, value: string | readonly string[]): void
  /** Checks the value first; throws `invalid_input` for an unknown name or a bad value, and writes nothing then. */
  set(name: string, value: string | readonly string[]): void
  unset(name: string): void
  /** What the file sets and Ken has no setting for, each with the name that was probably meant. */
  unknown(): readonly { readonly name: string; readonly meant: string | undefined }[]
}
