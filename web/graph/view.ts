/** A view of the record. */
export interface View {
  /** Applies the current filters, search, selection, grouping and theme. */
  update(): void
  /** Called when the view has become visible or another decision was selected; scrolls to the selected decision. */
  show(): void
  destroy(): void
  /** Undefined if the view cannot be zoomed. */
  readonly camera: Zoomable | undefined
}

export interface Zoomable {
  /** Zooms about the middle. */
  zoomBy(factor: number): void
  fit(): void
}
