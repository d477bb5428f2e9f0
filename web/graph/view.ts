/** One way to see the record. */
export interface View {
  /** Shows what filters, search, selection, grouping and theme now say. */
  update(): void
  /** The view has become visible, or another decision was selected: brings that into sight. */
  show(): void
  destroy(): void
  /** Undefined where nothing can be zoomed. */
  readonly camera: Zoomable | undefined
}

export interface Zoomable {
  /** About the middle. */
  zoomBy(factor: number): void
  fit(): void
}
