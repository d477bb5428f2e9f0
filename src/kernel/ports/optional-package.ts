/** A package that Ken loads on use, and works without. */
export interface OptionalPackage {
  readonly name: string
  /** User-facing name of the feature that needs the package. */
  readonly serves: string
  /** Undefined if the package is not installed. */
  readonly version: string | undefined
  /** The tested version, or a prefix of it. */
  readonly tested: string
}
