/** Why a file is not a decision. `kind` names the rule, `message` explains it to a person. */
export class DecisionFault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.name = 'DecisionFault'
    this.kind = kind
  }
}

export type FaultKind =
  | 'frontmatter'
  | 'yaml'
  | 'mapping'
  | 'field'
  | 'ref'
  | 'model'
  | 'h1'
  | 'section'
  | 'reserved-key'
  | 'size'
