export interface TableRef {
  readonly database: string
  readonly schema: string
  readonly name: string
}
