/** A package that Ken loads on use, and works without. */
export interface OptionalPackage {
  readonly name: string
  /** User-facing name of the feature that needs the package. */
  readonly serves: string
  /** Undefined if the package is not installed. */
  readonly version: string | undefined
  /** The version, or the beginning of one, that Ken is tested with. */
  readonly tested: string
}
