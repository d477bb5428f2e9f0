/** A package that Ken loads when it is used, and works without. */
export interface OptionalPackage {
  readonly name: string
  /** What needs it, as people call it. */
  readonly serves: string
  /** Undefined when it is not installed. */
  readonly version: string | undefined
}
