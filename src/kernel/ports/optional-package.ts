/** A package that Ken loads on use, and works without. */
export interface OptionalPackage {
  readonly name: string
  /** User-facing name of its feature. */
  readonly serves: string
  /** Undefined when it is not installed. */
  readonly version: string | undefined
}
