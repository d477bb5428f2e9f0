/** A section of a page of the documentation: what a search finds. */
export interface DocsSection {
  readonly address: string
  readonly page: string
  readonly title: string
  readonly text: string
}
