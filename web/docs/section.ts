/** A section of a documentation page, the unit of a search. */
export interface DocsSection {
  readonly address: string
  readonly page: string
  readonly title: string
  readonly text: string
}
